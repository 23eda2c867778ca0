#include "lissom/io/mjcf/schema.h"

namespace lissom::io::mjcf {
namespace {

// <worldbody>, <frame> and <replicate> may contain what <body> may.
constexpr SchemaRow rows[] = {
    {"", "mujoco", "model"},
    {"mujoco", "compiler",
     "alignfree angle assetdir autolimits balanceinertia boundinertia boundmass conflict coordinate "
     "discardvisual eulerseq fitaabb fusestatic inertiafromgeom inertiagrouprange meshdir passthrough "
     "savecanonical savecompiled saveinertial settotalmass strippath texturedir usethread"},
    {"compiler", "lengthrange",
     "accel interval inttotal maxforce mode timeconst timestep tolrange useexisting uselimit"},
    {"mujoco", "option",
     "actuatorgroupdisable ccd_iterations ccd_tolerance cone density gravity impratio integrator "
     "iterations jacobian ls_iterations ls_tolerance magnetic noslip_iterations noslip_tolerance "
     "o_friction o_margin o_solimp o_solref sdf_initpoints sdf_iterations sleep_tolerance solver timestep "
     "tolerance viscosity wind"},
    {"option", "flag",
     "actuation autoreset clampctrl constraint contact damper diagexact energy equality eulerdamp "
     "filterparent frictionloss fwdinv gravity invdiscrete ipc island limit midphase multiccd nativeccd "
     "override refsafe sensor sleep speculative spring warmstart"},
    {"mujoco", "size",
     "memory nconmax njmax nkey nstack nuser_actuator nuser_body nuser_cam nuser_geom nuser_jnt "
     "nuser_sensor nuser_site nuser_tendon nuserdata"},
    {"mujoco", "statistic", "center extent meaninertia meanmass meansize"},
    {"mujoco", "visual", ""},
    {"mujoco", "default", "class"},
    {"default", "mesh", "inertia maxhullvert scale"},
    {"default", "texture",
     "builtin colorspace embed gridlayout gridsize height hflip mark markrgb nchannel random rgb1 rgb2 "
     "type vflip width"},
    {"default", "material",
     "emission metallic reflectance rgba roughness shininess specular texrepeat texture texuniform"},
    {"default", "joint",
     "actuatorfrclimited actuatorfrcrange actuatorgravcomp armature axis damping frictionloss group "
     "limited margin pos range ref solimpfriction solimplimit solreffriction solreflimit springdamper "
     "springref springyield stiffness type user"},
    {"default", "geom",
     "adhesion axisangle castshadow conaffinity condim contype density euler fitscale fluidcoef fluidshape "
     "friction fromto gap group hfield margin mass material mesh pos priority quat rgba shellinertia size "
     "solimp solmix solref surfacevel type user xyaxes zaxis"},
    {"default", "site", "axisangle euler fromto group material mesh pos quat rgba size type user xyaxes zaxis"},
    {"default", "camera",
     "axisangle euler focal focalpixel fovy ipd mode output pos principal principalpixel projection quat "
     "resolution sensorsize user xyaxes zaxis"},
    {"default", "light",
     "active ambient attenuation bulbradius castshadow cutoff diffuse dir directional exponent intensity "
     "mode pos range softness specular type"},
    {"default", "pair", "adhesion condim friction gap margin solimp solref solreffriction"},
    {"default", "equality", "active solimp solref"},
    {"default", "tendon",
     "actuatorfrclimited actuatorfrcrange armature damping frictionloss group limited margin material "
     "range rgba solimpfriction solimplimit solreffriction solreflimit springlength springyield stiffness "
     "user width"},
    {"default", "general",
     "actdim actearly actlimited actrange armature biasprm biastype cranklength ctrllimited ctrlrange "
     "damping delay dynprm dyntype ffrange forcelimited forcerange gainprm gaintype gear group "
     "inheritrange input interp nsample user velrange"},
    {"default", "motor",
     "armature cranklength ctrllimited ctrlrange damping delay forcelimited forcerange gear group interp "
     "nsample user"},
    {"default", "position",
     "armature cranklength ctrllimited ctrlrange damping dampratio delay forcelimited forcerange gear "
     "group inheritrange interp kp kv nsample timeconst user"},
    {"default", "velocity",
     "armature cranklength ctrllimited ctrlrange damping delay forcelimited forcerange gear group interp "
     "kv nsample user"},
    {"default", "intvelocity",
     "actlimited actrange armature cranklength ctrllimited ctrlrange damping dampratio delay forcelimited "
     "forcerange gear group inheritrange interp kp kv nsample user"},
    {"default", "orientation",
     "ctrlrange dampratio delay forcelimited forcerange group input interp kp kv nsample user"},
    {"default", "pid",
     "armature cranklength ctrllimited ctrlrange damping dampratio delay ffrange forcelimited forcerange "
     "gear group imax inheritrange input interp ki kp kv nsample posrange slewmax user velrange"},
    {"default", "damper",
     "armature cranklength ctrlrange damping delay forcelimited forcerange gear group interp kv nsample "
     "user"},
    {"default", "cylinder",
     "area armature bias cranklength ctrllimited ctrlrange damping delay diameter forcelimited forcerange "
     "gear group interp nsample timeconst user"},
    {"default", "muscle",
     "armature cranklength ctrllimited ctrlrange damping delay force forcelimited forcerange fpmax fvmax "
     "gear group interp lmax lmin nsample range scale timeconst user vmax"},
    {"default", "adhesion", "ctrlrange delay forcelimited forcerange gain group interp nsample user"},
    {"default", "dcmotor",
     "armature cogging controller cranklength ctrllimited ctrlrange damping delay gear group inductance "
     "input interp lugre motorconst nominal nsample resistance saturation thermal user"},
    {"mujoco", "extension", ""},
    {"mujoco", "asset", ""},
    {"asset", "mesh",
     "builtin class content_type face file inertia material maxhullvert name normal params refpos refquat "
     "scale smoothnormal texcoord vertex"},
    {"asset", "hfield", "content_type elevation file name ncol nrow size"},
    {"asset", "skin", "face file group inflate material name rgba texcoord vertex"},
    {"asset", "texture",
     "builtin class colorspace content_type embed file fileback filedown filefront fileleft fileright "
     "fileup gridlayout gridsize height hflip mark markrgb name nchannel random rgb1 rgb2 type vflip width"},
    {"asset", "material",
     "class emission metallic name reflectance rgba roughness shininess specular texrepeat texture "
     "texuniform"},
    {"asset", "model", "content_type file name"},
    {"mujoco", "body", "axisangle childclass euler fuse gravcomp mocap name pos quat simple sleep user xyaxes zaxis"},
    {"body", "inertial", "axisangle diaginertia euler fullinertia mass pos quat xyaxes zaxis"},
    {"body", "joint",
     "actuatorfrclimited actuatorfrcrange actuatorgravcomp armature axis class damping frictionloss group "
     "limited margin name pos range ref solimpfriction solimplimit solreffriction solreflimit springdamper "
     "springref springyield stiffness type user"},
    {"body", "freejoint", "align group name"},
    {"body", "geom",
     "adhesion axisangle castshadow class conaffinity condim contype density euler fitscale fluidcoef "
     "fluidshape friction fromto gap group hfield margin mass material mesh name pos priority quat rgba "
     "shellinertia size solimp solmix solref surfacevel type user xyaxes zaxis"},
    {"body", "attach", "body frame model prefix"},
    {"body", "site", "axisangle class euler fromto group material mesh name pos quat rgba size type user xyaxes zaxis"},
    {"body", "camera",
     "axisangle class euler focal focalpixel fovy ipd mode name output pos principal principalpixel "
     "projection quat resolution sensorsize target user xyaxes zaxis"},
    {"body", "light",
     "active ambient attenuation bulbradius castshadow class cutoff diffuse dir directional exponent "
     "intensity mode name pos range softness specular target texture type"},
    {"body", "flexcomp",
     "axisangle cellcount count dim dof element euler file flatskin group inertiabox mass material mesh "
     "name origin point pos quat radius rgba rigid scale spacing texcoord type xyaxes zaxis"},
    {"mujoco", "deformable", ""},
    {"mujoco", "contact", ""},
    {"contact", "pair", "adhesion class condim friction gap geom1 geom2 margin name solimp solref solreffriction"},
    {"contact", "exclude", "body1 body2 name"},
    {"mujoco", "tendon", ""},
    {"tendon", "spatial",
     "actuatorfrclimited actuatorfrcrange armature class damping frictionloss group limited margin "
     "material name range rgba solimpfriction solimplimit solreffriction solreflimit springlength "
     "springyield stiffness user width"},
    {"spatial", "site", "site"},
    {"spatial", "geom", "geom sidesite"},
    {"spatial", "pulley", "divisor"},
    {"tendon", "fixed",
     "actuatorfrclimited actuatorfrcrange armature class damping frictionloss group limited margin name "
     "range solimpfriction solimplimit solreffriction solreflimit springlength springyield stiffness user"},
    {"fixed", "joint", "coef joint"},
    {"mujoco", "equality", ""},
    {"equality", "connect", "active anchor body1 body2 class name site1 site2 solimp solref"},
    {"equality", "weld", "active anchor body1 body2 class name relpose site1 site2 solimp solref torquescale"},
    {"equality", "joint", "active class joint1 joint2 name polycoef solimp solref"},
    {"equality", "tendon", "active class name polycoef solimp solref tendon1 tendon2"},
    {"equality", "distance", "active class distance geom1 geom2 name solimp solref"},  // before 2.2.2
    {"equality", "flex", "active class flex name solimp solref"},
    {"equality", "flexstrain", "active cell class flex name solimp solref"},
    {"mujoco", "actuator", ""},
    {"actuator", "general",
     "actdim actearly actlimited actrange armature biasprm biastype body class cranklength cranksite "
     "ctrllimited ctrlrange damping delay dynprm dyntype ffrange forcelimited forcerange gainprm gaintype "
     "gear group inheritrange input interp joint jointinparent lengthrange name nsample refsite site "
     "slidersite tendon user velrange"},
    {"actuator", "motor",
     "armature class cranklength cranksite ctrllimited ctrlrange damping delay forcelimited forcerange "
     "gear group interp joint jointinparent lengthrange name nsample refsite site slidersite tendon user"},
    {"actuator", "position",
     "armature class cranklength cranksite ctrllimited ctrlrange damping dampratio delay forcelimited "
     "forcerange gear group inheritrange interp joint jointinparent kp kv lengthrange name nsample refsite "
     "site slidersite tendon timeconst user"},
    {"actuator", "velocity",
     "armature class cranklength cranksite ctrllimited ctrlrange damping delay forcelimited forcerange "
     "gear group interp joint jointinparent kv lengthrange name nsample refsite site slidersite tendon "
     "user"},
    {"actuator", "intvelocity",
     "actlimited actrange armature class cranklength cranksite ctrllimited ctrlrange damping dampratio "
     "delay forcelimited forcerange gear group inheritrange interp joint jointinparent kp kv lengthrange "
     "name nsample refsite site slidersite tendon user"},
    {"actuator", "orientation",
     "class ctrlrange dampratio delay forcelimited forcerange group input interp joint kp kv name nsample "
     "refsite site user"},
    {"actuator", "pid",
     "armature class cranklength cranksite ctrllimited ctrlrange damping dampratio delay ffrange "
     "forcelimited forcerange gear group imax inheritrange input interp joint jointinparent ki kp kv "
     "lengthrange name nsample posrange refsite site slewmax slidersite tendon user velrange"},
    {"actuator", "damper",
     "armature class cranklength cranksite ctrlrange damping delay forcelimited forcerange gear group "
     "interp joint jointinparent kv lengthrange name nsample refsite site slidersite tendon user"},
    {"actuator", "cylinder",
     "area armature bias class cranklength cranksite ctrllimited ctrlrange damping delay diameter "
     "forcelimited forcerange gear group interp joint jointinparent lengthrange name nsample refsite site "
     "slidersite tendon timeconst user"},
    {"actuator", "muscle",
     "armature class cranklength cranksite ctrllimited ctrlrange damping delay force forcelimited "
     "forcerange fpmax fvmax gear group interp joint jointinparent lengthrange lmax lmin name nsample "
     "range scale slidersite tausmooth tendon timeconst user vmax"},
    {"actuator", "adhesion", "body class ctrlrange delay forcelimited forcerange gain group interp name nsample user"},
    {"actuator", "dcmotor",
     "armature class cogging controller cranklength cranksite ctrllimited ctrlrange damping delay gear "
     "group inductance input interp joint jointinparent lengthrange lugre motorconst name nominal nsample "
     "refsite resistance saturation site slidersite tendon thermal user"},
    {"actuator", "plugin",
     "actdim actearly actlimited actrange armature class cranklength cranksite ctrllimited ctrlrange "
     "damping delay dynprm dyntype forcelimited forcerange gear group instance interp joint jointinparent "
     "lengthrange name nsample plugin site slidersite tendon user"},
    {"mujoco", "sensor", ""},
    {"mujoco", "custom", ""},
    {"mujoco", "keyframe", ""},
    {"keyframe", "key", "act ctrl mpos mquat name plastic qpos qvel time"},
    {"mujoco", "worldbody", ""},
    {"mujoco", "include", "file"},
    {"body", "frame", "name pos quat axisangle xyaxes zaxis euler childclass"},
    {"body", "replicate", "count offset euler sep childclass"},
    {"body", "composite", ""},
};

}  // namespace

std::span<const SchemaRow> schema() {
  return rows;
}

}  // namespace lissom::io::mjcf
