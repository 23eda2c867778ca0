// The material of the ground's shadow: sharp where a body touches the ground, softer the farther away it is.
import { ShadowMaterial } from 'three';

/** tan of the angle under which the lamp is seen, as a factor from depth to texture coordinates of the shadow map (see Lights). */
const SPREAD = 0.28;

/** Replaces three's getShadowMask(), which has the same softness everywhere. */
const MASK = /* glsl */ `
  #if NUM_DIR_LIGHT_SHADOWS > 0
  float softShadow( sampler2DShadow map, vec3 at ) {
    if ( any( lessThan( at, vec3( 0.0 ) ) ) || any( greaterThan( at, vec3( 1.0 ) ) ) ) return 1.0;
    float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
    // The height of what is between here and the lamp: how many samples are still covered closer to the lamp.
    float covered = 0.0;
    float higher = 0.0;
    for ( int i = 0; i < 6; i ++ ) {
      vec2 place = at.xy + vogelDiskSample( i, 6, phi ) * 0.022;
      float here = 1.0 - texture( map, vec3( place, at.z ) );
      covered += here;
      if ( here > 0.0 ) higher += 0.02 * ( 1.0 - texture( map, vec3( place, at.z - 0.015 ) ) )
        + 0.04 * ( 1.0 - texture( map, vec3( place, at.z - 0.04 ) ) )
        + 0.05 * ( 1.0 - texture( map, vec3( place, at.z - 0.085 ) ) );
    }
    if ( covered < 0.001 ) return 1.0;
    float radius = clamp( ${SPREAD} * higher / covered, 0.0016, 0.022 );
    float light = 0.0;
    for ( int i = 0; i < 16; i ++ ) light += texture( map, vec3( at.xy + vogelDiskSample( i, 16, phi ) * radius, at.z ) );
    return light / 16.0;
  }
  #endif

  float getShadowMask() {
    #if NUM_DIR_LIGHT_SHADOWS > 0
      vec3 at = vDirectionalShadowCoord[ 0 ].xyz / vDirectionalShadowCoord[ 0 ].w;
      return softShadow( directionalShadowMap[ 0 ], at + vec3( 0.0, 0.0, directionalLightShadows[ 0 ].shadowBias ) );
    #else
      return 1.0;
    #endif
  }`;

export function softShadowMaterial(): ShadowMaterial {
  const material = new ShadowMaterial({ depthWrite: false, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 2 });
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace('#include <shadowmask_pars_fragment>', MASK);
  };
  return material;
}
