// Mesh files of every format, and what is shown where there is none.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { open, serveFor, temporaryFolder } from './cases.mjs';
import { save, skip } from './support.mjs';

// The same box in all files, in the link's frame.
const SIZE = [0.1, 0.2, 0.3];
const corner = (i) => SIZE.map((length, axis) => (i & (1 << axis) ? length : 0));
const CORNERS = Array.from({ length: 8 }, (_, i) => corner(i));
const FACES = [[0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6], [0, 1, 5], [0, 5, 4], [2, 6, 7], [2, 7, 3], [0, 4, 6], [0, 6, 2], [1, 3, 7], [1, 7, 5]];

/** Binary, in millimeters; the robot's file scales it. */
function stl() {
  const bytes = Buffer.alloc(84 + 50 * FACES.length);
  bytes.writeUInt32LE(FACES.length, 80);
  FACES.forEach((face, f) => face.forEach((at, k) => CORNERS[at].forEach((x, axis) => bytes.writeFloatLE(1000 * x, 84 + 50 * f + 12 * (k + 1) + 4 * axis))));
  return bytes;
}

const obj = (library = '') => `${library}${CORNERS.map((p) => `v ${p.join(' ')}\n`).join('')}usemtl red\n${FACES.map((face) => `f ${face.map((i) => i + 1).join(' ')}\n`).join('')}`;

/** In centimeters; robots ignore the up axis. */
const dae = (up) => `<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit name="centimeter" meter="0.01"/><up_axis>${up}</up_axis></asset>
  <library_geometries><geometry id="box"><mesh>
    <source id="p"><float_array id="a" count="24">${CORNERS.flat().map((x) => 100 * x).join(' ')}</float_array>
      <technique_common><accessor source="#a" count="8" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
    <triangles count="${FACES.length}"><input semantic="VERTEX" source="#v" offset="0"/><p>${FACES.flat().join(' ')}</p></triangles>
  </mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id="s"><node id="n"><instance_geometry url="#box"/></node></visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#s"/></scene>
</COLLADA>`;

/** The buffer of a glTF file, whose y is up, and the file; `more` is put into its only primitive. */
function gltf(uri, more = {}) {
  const buffer = Buffer.alloc(12 * CORNERS.length + 2 * 3 * FACES.length);
  const points = CORNERS.map(([x, y, z]) => [x, z, -y]);
  points.flat().forEach((x, i) => buffer.writeFloatLE(x, 4 * i));
  FACES.flat().forEach((at, i) => buffer.writeUInt16LE(at, 12 * CORNERS.length + 2 * i));
  const bound = (choose) => [0, 1, 2].map((axis) => Math.fround(choose(...points.map((p) => p[axis]))));
  const json = {
    asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, ...more }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 8, type: 'VEC3', min: bound(Math.min), max: bound(Math.max) },
      { bufferView: 1, componentType: 5123, count: 3 * FACES.length, type: 'SCALAR' },
    ],
    bufferViews: [{ buffer: 0, byteOffset: 0, byteLength: 96 }, { buffer: 0, byteOffset: 96, byteLength: 6 * FACES.length }],
    buffers: [{ byteLength: buffer.length, ...(uri && { uri }) }],
    ...(more.extensions && { extensionsUsed: Object.keys(more.extensions), extensionsRequired: Object.keys(more.extensions) }),
  };
  return { buffer, json };
}

function glb() {
  const { buffer, json } = gltf(null);
  const chunk = (type, content, fill) => {
    const body = Buffer.concat([content, Buffer.alloc((4 - (content.length % 4)) % 4, fill)]);
    const head = Buffer.alloc(8);
    head.writeUInt32LE(body.length, 0);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, body]);
  };
  const body = Buffer.concat([chunk('JSON', Buffer.from(JSON.stringify(json)), ' '), chunk('BIN\0', buffer, 0)]);
  const head = Buffer.alloc(12);
  head.write('glTF', 0, 'latin1');
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(12 + body.length, 8);
  return Buffer.concat([head, body]);
}

const SHOWN = ['box.stl', 'box.obj', 'box.dae', 'upright.dae', 'box.gltf', 'box.glb'];

/** A robot with one link for each file, in a row, and the files; returns the robot's path. */
function robotIn(folder) {
  const { buffer, json } = gltf('a%20buffer.bin');
  const files = {
    'box.stl': stl(),
    'box.obj': obj('mtllib colors.mtl\n'),
    'colors.mtl': 'newmtl red\nKd 1 0 0\n',
    'box.dae': dae('Y_UP'),
    'upright.dae': dae('Z_UP'),
    'box.gltf': JSON.stringify(json),
    'a buffer.bin': buffer,
    'box.glb': glb(),
    'empty.obj': 'v 0 0 0\nv 1 0 0\n',
    'broken.stl': 'this is no mesh',
    'packed.gltf': JSON.stringify(gltf('a%20buffer.bin', { extensions: { KHR_draco_mesh_compression: { bufferView: 0, attributes: { POSITION: 0 } } } }).json),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const meshes = [...SHOWN, 'gone.stl', 'empty.obj', 'broken.stl', 'packed.gltf'];
  const mesh = (name) => `<origin xyz="0 0 0.5"/><geometry><mesh filename="${name}"${name.endsWith('.stl') ? ' scale="0.001 0.001 0.001"' : ''}/></geometry>`;
  const link = (name, i) => `
    <link name="${name}"><visual>${mesh(name)}</visual><collision>${mesh(name)}</collision></link>
    <joint name="to ${name}" type="fixed"><origin xyz="${0.3 * i} 0 0"/><parent link="root"/><child link="${name}"/></joint>`;
  const path = join(folder, 'robot.urdf');
  writeFileSync(path, `<robot name="boxes"><link name="root"/>${meshes.map(link).join('')}</robot>`);
  return path;
}

/** What the page has of each link: the box around it in the link's frame, colors, and whether it is there in place of something else. */
const bodies = (tab) =>
  tab.evaluate(() => {
    const { robot, bodies } = window.lissom.stage.robots[0];
    return Object.fromEntries(robot.links.map(({ name }, i) => {
      const { box, visual, collision } = bodies.bodies[i];
      const colors = [];
      visual.traverse((object) => object.isMesh && colors.push(object.material.color.toArray()));
      const missing = visual.children.some((object) => object.userData.missing);
      return [name, { low: box.min.toArray(), high: box.max.toArray(), colors, missing, collisions: collision.children.length }];
    }));
  });

const near = (found, expected, what) => found.forEach((x, i) => assert.ok(Math.abs(x - expected[i]) < 1e-6, `${what}: ${found}, expected ${expected}`));

async function isComplete(tab) {
  await tab.evaluate(async () => {
    window.lissom.stage.show('collisions', true);
    await window.lissom.stage.settled();
  });
  const found = await bodies(tab);
  for (const name of SHOWN) {
    const { low, high, missing, collisions } = found[name];
    near(low, [0, 0, 0.5], name);
    near(high, [SIZE[0], SIZE[1], 0.5 + SIZE[2]], name);
    assert.deepEqual([missing, collisions], [false, 1], name);
  }
  // That of the library of materials beside it.
  near(found['box.obj'].colors[0], [1, 0, 0], 'color');
  for (const name of ['gone.stl', 'empty.obj', 'broken.stl', 'packed.gltf']) {
    const { low, high, missing } = found[name];
    assert.ok(missing, `${name} is a box`);
    near(low.map((x, axis) => (x + high[axis]) / 2), [0, 0, 0.5], name);
  }
  const notes = await tab.evaluate(() => window.lissom.stage.notes);
  const about = (name) => notes.filter((note) => note.includes(name));
  assert.deepEqual(about('gone.stl'), ["mesh 'gone.stl' was not found: a box is shown instead"]);
  assert.deepEqual(about('empty.obj'), ["mesh 'empty.obj' cannot be shown (it has no faces): a box is shown instead"]);
  assert.equal(about('broken.stl').length, 1);
  assert.match(about('packed.gltf').join(), /cannot be shown \(it is compressed with Draco; save it without compression\): a box is shown instead/);
  assert.equal(notes.length, 4, notes.join('\n'));
  // The panel lists them, too.
  await tab.getByText("mesh 'gone.stl' was not found: a box is shown instead").first().waitFor({ state: 'attached' });
}

test('meshes of every format are shown, and boxes for those that are not there', { skip }, async (t) => {
  const folder = temporaryFolder(t);
  const robot = robotIn(folder);
  const served = await open(t, await serveFor(t, [robot]));
  await isComplete(served);
  const saved = await open(t, save(folder, 'robot.html', robot));
  await isComplete(saved);
  assert.deepEqual(saved.problems, []);
  assert.deepEqual(served.problems, []);
});
