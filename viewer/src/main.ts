import { WebGLRenderer } from 'three';
console.log(WebGLRenderer.name);
