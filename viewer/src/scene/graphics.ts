// What the stage asks of the browser's graphics.
import type { WebGLRenderer } from 'three';

/** Resolves when everything that was asked of the graphics card is done. */
export async function finished(gl: WebGL2RenderingContext): Promise<void> {
  const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  gl.flush();
  while (fence && !gl.isContextLost() && gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) await new Promise((done) => setTimeout(done, 4));
  gl.deleteSync(fence);
}

/** Whether there is no graphics card, so that every pixel costs time of the processor. */
export function rendersInSoftware(renderer: WebGLRenderer): boolean {
  const gl = renderer.getContext();
  let name = String(gl.getParameter(gl.RENDERER));
  // Chromium tells it by an extension only, which Firefox warns of.
  const names = /^webkit/i.test(name) ? gl.getExtension('WEBGL_debug_renderer_info') : null;
  if (names) name = String(gl.getParameter(names.UNMASKED_RENDERER_WEBGL));
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}
