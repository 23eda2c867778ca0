// The center of mass, as the quartered ball of engineering drawings, and its projection on the ground.
import { BufferGeometry, CircleGeometry, Color, Group, Matrix4, Quaternion, SphereGeometry, Vector3 } from 'three';
import { Rods } from './arrows';
import { Marks } from './marks';
import type { Overlay, Subject } from './overlays';
import { merged, painted } from './shapes';
import { COLORS } from './theme';

const DARK = '#15191e';

function quarteredBall(color: string): BufferGeometry {
  const parts: BufferGeometry[] = [];
  for (let upper = 0; upper < 2; upper++)
    for (let quarter = 0; quarter < 4; quarter++) {
      const octant = new SphereGeometry(1, 12, 12, (quarter * Math.PI) / 2, Math.PI / 2, (upper * Math.PI) / 2, Math.PI / 2);
      parts.push(painted(octant, new Color((quarter + upper) % 2 ? color : DARK)));
    }
  return merged(parts).rotateX(Math.PI / 2);
}

function quarteredDisc(color: string): BufferGeometry {
  const parts: BufferGeometry[] = [];
  for (let quarter = 0; quarter < 4; quarter++)
    parts.push(painted(new CircleGeometry(1, 12, (quarter * Math.PI) / 2, Math.PI / 2), new Color(quarter % 2 ? color : DARK)));
  return merged(parts);
}

export class CenterOfMass implements Overlay {
  readonly object = new Group();
  private readonly ball: Marks;
  private readonly disc: Marks;
  private readonly line: Rods;
  private readonly matrix = new Matrix4();
  private readonly at = new Vector3();
  private readonly foot = new Vector3();
  private readonly scale = new Vector3();
  private readonly identity = new Quaternion();

  constructor(private readonly subject: Subject, color = COLORS.com) {
    const style = { vertexColors: true, hidden: 0.6 };
    this.ball = new Marks(quarteredBall(color), 'white', 1, style);
    this.disc = new Marks(quarteredDisc(color), 'white', 1, style);
    this.line = new Rods(color, 1, { hidden: 0.35 });
    this.object.add(this.ball.object, this.disc.object, this.line.object);
  }

  update(): void {
    const { kinematics, size } = this.subject;
    const [x, y, z] = kinematics.com();
    const count = Number.isFinite(x + y + z) && kinematics.robot.links.length > 0 ? 1 : 0;
    for (const mark of [this.ball, this.disc, this.line]) mark.resize(count);
    if (count === 0) return;
    this.at.set(x, y, z);
    this.foot.set(x, y, this.subject.ground + 0.0012 * size);
    this.ball.set(0, this.matrix.compose(this.at, this.identity, this.scale.setScalar(0.02 * size)));
    this.disc.set(0, this.matrix.compose(this.foot, this.identity, this.scale.setScalar(0.02 * size)));
    this.line.set(0, this.at, this.foot, 0.0018 * size, 0.0018 * size);
    for (const mark of [this.ball, this.disc, this.line]) mark.commit();
  }
}
