// Icons as outlines in a square of 16 by 16.

const PATHS = {
  play: 'M4.5 2.5v11l9-5.5z',
  pause: 'M4 2.5h3v11H4zM9 2.5h3v11H9z',
  previous: 'M10 3v10L4 8zM11 3h1.5v10H11z',
  next: 'M6 3v10l6-5zM3.5 3H5v10H3.5z',
  first: 'M3 3h1.6v10H3zM13 3v10L5.5 8z',
  last: 'M11.4 3H13v10h-1.6zM3 3v10l7.5-5z',
  loop: 'M11 1.5 14 4l-3 2.5V4.8H5A2.2 2.2 0 0 0 2.8 7v1H1.2V7A3.8 3.8 0 0 1 5 3.2h6zM5 14.5 2 12l3-2.5v1.7h6A2.2 2.2 0 0 0 13.2 9V8h1.6v1a3.8 3.8 0 0 1-3.8 3.8H5z',
  theme: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM8 13V3a5 5 0 0 1 0 10z',
  panels: 'M1.5 2.5h13v11h-13zM3 4v8h6V4zM10.5 4v8H13V4z',
  plots: 'M2 2h1.5v10.5H14V14H2zM4.8 10.3l2.7-4 2.2 2.2 3-5 1.3.800-4 6.7-2.3-2.3-1.6 2.5z',
  camera: 'M5.5 3 6.5 1.8h3l1 1.2H14v10H2V3zM8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 6.7a1.3 1.3 0 1 1 0 2.6 1.3 1.3 0 0 1 0-2.6z',
  close: 'M3.5 2.4 8 6.9l4.5-4.5 1.1 1.1L9.1 8l4.5 4.5-1.1 1.1L8 9.1l-4.5 4.5-1.1-1.1L6.9 8 2.4 3.5z',
  target: 'M7.2 1h1.6v2.3a4.8 4.8 0 0 1 3.9 3.9H15v1.6h-2.3a4.8 4.8 0 0 1-3.9 3.9V15H7.2v-2.3a4.8 4.8 0 0 1-3.9-3.9H1V7.2h2.3a4.8 4.8 0 0 1 3.9-3.9zM8 4.8a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4z',
} as const;

export type Icon = keyof typeof PATHS;

export function icon(name: Icon): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  svg.classList.add('icon');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', PATHS[name]);
  path.setAttribute('fill-rule', 'evenodd');
  svg.append(path);
  return svg;
}
