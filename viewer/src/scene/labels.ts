// Names of links, or of contacts, as sprites with a constant size on the screen; those that would overlap others are left out.
import { CanvasTexture, Group, LinearFilter, PerspectiveCamera, Sprite, SpriteMaterial, SRGBColorSpace, Vector3 } from 'three';
import type { Subject, Overlay } from './overlays';
import type { Theme } from './theme';

const FONT_PIXELS = 13;
const PADDING = 5;
/** Pixels between a point and its text. */
const GAP = 8;
/** Texture pixels for each pixel of the screen, so that text stays sharp on dense displays. */
const DENSITY = 2;

interface Label {
  sprite: Sprite;
  link: number;
  offset: readonly number[];
  width: number;
  height: number;
}

const point = new Vector3();

export class Labels implements Overlay {
  readonly object = new Group();
  private labels: Label[] | null = null;
  private theme: Theme | null = null;
  /** The label of this link comes first where there is not room for all. */
  preferred: number | null = null;

  /** `texts`: what is written, each at a point of a link. */
  constructor(
    private readonly subject: Subject,
    private readonly texts: () => { text: string; link: number; offset: readonly number[] }[] = () =>
      subject.robot.links.map((link, index) => ({ text: link.name, link: index, offset: link.mass > 0 ? link.com : [0, 0, 0] })),
  ) {}

  /** The texts have changed. */
  rebuild(): void {
    if (this.labels) this.build();
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.rebuild();
  }

  update(): void {
    if (!this.labels) this.build();
    for (const label of this.labels!) {
      this.subject.kinematics.point(label.link, label.offset, label.sprite.position);
    }
  }

  /** Gives the labels their size on the screen, and hides those that would lie over nearer ones or over `taken` boxes. */
  arrange(camera: PerspectiveCamera, width: number, height: number, taken: number[][]): void {
    if (!this.labels) return;
    const perPixel = (2 * Math.tan((camera.fov * Math.PI) / 360)) / height;
    const order = this.labels
      .map((label) => ({ label, depth: point.copy(label.sprite.position).applyMatrix4(camera.matrixWorldInverse).z }))
      .sort((x, y) => Number(y.label.link === this.preferred) - Number(x.label.link === this.preferred) || y.depth - x.depth);
    for (const { label, depth } of order) {
      const { sprite } = label;
      sprite.scale.set(label.width * perPixel, label.height * perPixel, 1);
      point.copy(sprite.position).project(camera);
      const at = ((point.x + 1) / 2) * width, y = ((1 - point.y) / 2) * height - label.height / 2;
      // A little to the right of its point, or to the left where the picture ends.
      const left = at + GAP + label.width > width && at - GAP - label.width > 0;
      const x = left ? at - GAP - label.width : at + GAP;
      sprite.center.set(left ? 1 + GAP / label.width : -GAP / label.width, 0.5);
      const box = [x, y, x + label.width, y + label.height];
      sprite.visible = depth < 0 && !taken.some((t) => box[0] < t[2] && box[2] > t[0] && box[1] < t[3] && box[3] > t[1]);
      if (sprite.visible) taken.push(box);
    }
  }

  private build(): void {
    for (const { sprite } of this.labels ?? []) {
      sprite.material.map?.dispose();
      sprite.material.dispose();
    }
    this.object.clear();
    this.labels = this.texts().map(({ text, link, offset }) => this.create(text, link, offset));
    for (const { sprite } of this.labels) this.object.add(sprite);
  }

  private create(text: string, link: number, offset: readonly number[]): Label {
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('2d')!;
    const font = `500 ${FONT_PIXELS * DENSITY}px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif`;
    context.font = font;
    const textWidth = context.measureText(text).width;
    canvas.width = Math.ceil(textWidth + 2 * PADDING * DENSITY);
    canvas.height = Math.ceil((FONT_PIXELS + 2 * PADDING) * DENSITY);
    context.fillStyle = this.theme?.label.back ?? 'white';
    context.beginPath();
    context.roundRect(0, 0, canvas.width, canvas.height, 5 * DENSITY);
    context.fill();
    context.font = font;
    context.textBaseline = 'middle';
    context.fillStyle = this.theme?.label.text ?? 'black';
    context.fillText(text, PADDING * DENSITY, canvas.height / 2 + DENSITY / 2);
    const texture = new CanvasTexture(canvas);
    texture.colorSpace = SRGBColorSpace;
    texture.minFilter = LinearFilter;
    texture.generateMipmaps = false;
    const material = new SpriteMaterial({
      map: texture, depthTest: false, depthWrite: false, transparent: true, sizeAttenuation: false, toneMapped: false,
    });
    const sprite = new Sprite(material);
    sprite.renderOrder = 20;
    sprite.raycast = () => {};
    return { sprite, link, offset, width: canvas.width / DENSITY, height: canvas.height / DENSITY };
  }
}
