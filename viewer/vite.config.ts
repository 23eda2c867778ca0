// One file with everything in it: the server sends it as it is, and `lissom view --save` puts data into it.
import { defineConfig } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

export default defineConfig({
  base: './',
  plugins: [viteSingleFile()],
  build: { outDir: 'dist', target: 'es2022', chunkSizeWarningLimit: 2000 },
});
