"""Random MJCF models that use as much of the format as bears on the motion of the bodies."""
import random

PRIMITIVES = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}


class RandomModel:
    """Texts of a model, made from a seed: files by name, whose first one is the model, and others are parts of it."""

    def __init__(self, seed, name="random", is_part=False):
        self.dice = random.Random(seed)
        self.seed, self.name, self.is_part = seed, name, is_part
        self.degrees = self.dice.random() < 0.5
        self.sequence = "".join(self.dice.choice("xyzXYZ") for _ in range(3))
        self.names = {"body": 0, "joint": 0}
        self.bodies, self.joints, self.ranges = [], [], set()  # that may be referred to; joints with a range
        self.qpos = 0  # its size, or None if it is not known
        self.classes = ["a", "b", "c"]
        self.replicas = 0

    def numbers(self, count, low=-1.0, high=1.0):
        return " ".join(repr(round(self.dice.uniform(low, high), 4)) for _ in range(count))

    def chance(self, probability):
        return self.dice.random() < probability

    def angle(self, low, high):
        return repr(round(self.dice.uniform(low, high) * (57.3 if self.degrees else 1), 3))

    def orientation(self):
        kind = self.dice.choice(["", "", "quat", "axisangle", "euler", "xyaxes", "zaxis"])
        if kind == "quat":
            return f'quat="{self.numbers(4)}"'
        if kind == "axisangle":
            return f'axisangle="{self.numbers(3)} {self.angle(-3, 3)}"'
        if kind == "euler":
            return f'euler="{self.angle(-3, 3)} {self.angle(-3, 3)} {self.angle(-3, 3)}"'
        return f'xyaxes="{self.numbers(6)}"' if kind == "xyaxes" else f'zaxis="{self.numbers(3)}"' if kind == "zaxis" else ""

    def pose(self):
        position = f'pos="{self.numbers(3)}" ' if self.chance(0.7) else ""
        return position + self.orientation()

    def of_class(self):
        return f' class="{self.dice.choice(self.classes)}"' if self.chance(0.3) else ""

    def geom(self):
        shape = self.dice.choice(list(PRIMITIVES))
        mass = f' mass="{self.numbers(1, 0.1, 2)}"' if self.chance(0.4) else f' density="{self.numbers(1, 100, 2000)}"' if self.chance(0.5) else ""
        # MuJoCo computes shells of ellipsoids as small differences, which leave few digits.
        other = (' shellinertia="true"' if self.chance(0.2) and shape != "ellipsoid" else "") + (f' group="{self.dice.randrange(4)}"' if self.chance(0.5) else "")
        other += ' contype="0" conaffinity="0"' if self.chance(0.2) else ""
        if self.chance(0.1):
            return f'<geom type="{shape}" mesh="{self.dice.choice(["block", "wedge"])}"{mass} fitscale="0.8" {self.pose()} group="0"/>'
        if self.chance(0.15):
            return f'<geom type="mesh" mesh="{self.dice.choice(["block", "wedge"])}"{mass} {self.pose()}{other.replace(" shellinertia=" + chr(34) + "true" + chr(34), "")}/>'
        if shape != "sphere" and self.chance(0.4):
            return f'<geom type="{shape}" size="{self.numbers(1, 0.02, 0.2)}" fromto="{self.numbers(6)}"{mass}{other}/>'
        return f'<geom type="{shape}" size="{self.numbers(PRIMITIVES[shape], 0.02, 0.3)}" {self.pose()}{mass}{other}/>'

    def inertial(self):
        mass = f'pos="{self.numbers(3, -0.3, 0.3)}" mass="{self.numbers(1, 0.1, 3)}"'
        if self.chance(0.4):
            diagonal = [self.dice.uniform(0.05, 0.08) for _ in range(3)]
            return f'<inertial {mass} fullinertia="{" ".join(map(repr, diagonal))} {self.numbers(3, -0.01, 0.01)}"/>'
        flat = self.chance(0.2)  # violates the triangle inequality: MuJoCo balances it
        return f'<inertial {mass} {self.orientation()} diaginertia="{"0.01 0.02 0.09" if flat else self.numbers(3, 0.05, 0.08)}"/>'

    def joint(self, kinds):
        kind = self.dice.choice(kinds)
        self.qpos += 4 if kind == "ball" else 1
        self.names["joint"] += 1
        name = f'name="j{self.names["joint"]}e"' if self.chance(0.8) else ""  # replicas have numbers behind their names: j10e is none of j1e
        text = f'<joint {name} type="{kind}"{self.of_class()}'
        if kind in ("hinge", "slide"):
            if name:
                self.joints.append(f'j{self.names["joint"]}e')
            text += f' axis="{self.numbers(3)}"' if self.chance(0.8) else ""
            if self.chance(0.3):
                text += f' ref="{self.angle(-1, 1) if kind == "hinge" else self.numbers(1)}"'
            if self.chance(0.3):
                text += f' range="{self.angle(-2, -1)} {self.angle(1, 2)}"'
                if name:
                    self.ranges.add(f'j{self.names["joint"]}e')
        if kind != "slide" and self.chance(0.6):
            text += f' pos="{self.numbers(3)}"'
        return text + (f' armature="{self.numbers(1, 0, 0.5)}"' if self.chance(0.4) else "") + "/>"

    def content(self, depth, top):
        """Joints, geoms, sites and bodies of a body."""
        parts = []
        if top and not self.is_part and self.chance(0.3):
            self.qpos += 7
            parts.append("<freejoint/>" if self.chance(0.5) else '<joint type="free" armature="0"/>')
        elif self.chance(0.85):
            parts += [self.joint(["hinge", "slide"]) for _ in range(self.dice.choice([1, 1, 1, 2, 3]))] if self.chance(0.8) else [self.joint(["ball"])]
        if self.chance(0.5):
            parts.append(self.inertial())
        parts += [self.geom() for _ in range(self.dice.choice([1, 1, 2, 3]))]
        # Something that always has mass, so that MuJoCo accepts the body.
        parts.append(f'<geom type="box" size="{self.numbers(3, 0.05, 0.2)}" group="0" mass="{self.numbers(1, 0.2, 1)}"/>')
        self.dice.shuffle(parts)
        if self.chance(0.2):  # joints stay in their order
            parts = [f'<frame {self.pose()}>{p}</frame>' if p.startswith("<geom") else p for p in parts]
        if depth > 0:
            parts += [self.body(depth - 1) for _ in range(self.dice.choice([0, 1, 1, 2]))]
        return "\n".join(parts)

    def body(self, depth, top=False):
        self.names["body"] += 1
        name = f'b{self.names["body"]}e'
        named = f'name="{name}"' if self.chance(0.8) else ""
        if named:
            self.bodies.append(name)
        childclass = f' childclass="{self.dice.choice(self.classes)}"' if self.chance(0.3) else ""
        text = f'<body {named}{childclass} {self.pose()}>\n{self.content(depth, top)}\n</body>'
        if self.chance(0.15):
            return f'<frame {self.pose()}>{text}</frame>'
        if self.chance(0.1):
            before = len(self.bodies), len(self.joints)
            rotation = f'{self.angle(-1, 1)} {self.angle(-1, 1)} {self.angle(-1, 1)}'
            self.replicas += 1
            letter = "rstuvwxyz"[self.replicas % 9] * self.replicas  # so that names with numbers behind them differ
            leaf = f'<body name="{letter}"><joint name="{letter}" axis="{self.numbers(3)}"/>{self.geom()}<geom size=".1" group="0"/></body>'
            del self.bodies[before[0]:], self.joints[before[1]:]
            count = self.dice.choice([1, 3])
            self.qpos += count
            if self.chance(0.4):  # replicas of replicas
                inner = self.dice.choice([1, 2])
                self.qpos += count * (inner - 1)
                leaf = f'<frame {self.pose()}><replicate count="{inner}" offset="{self.numbers(3)}" sep="_">{leaf}</replicate></frame>'
            return text + f'<replicate count="{count}" offset="{self.numbers(3)}" euler="{rotation}">{leaf}</replicate>'
        return text

    def compiler(self):
        text = f'<compiler angle="{"degree" if self.degrees else "radian"}" eulerseq="{self.sequence}" balanceinertia="true"'
        text += f' inertiafromgeom="{self.dice.choice(["auto", "auto", "true"])}"'
        text += ' inertiagrouprange="0 2"' if self.chance(0.3) else ""
        text += ' boundmass="0.3"' if self.chance(0.2) else ""
        text += ' boundinertia="0.02"' if self.chance(0.2) else ""
        text += ' settotalmass="12"' if self.chance(0.2) else ""
        discards = self.chance(0.2) and 'inertiafromgeom="true"' not in text  # MuJoCo refuses both together
        return text + (' discardvisual="true"' if discards else "") + "/>"

    def sections(self):
        """Tendons, equalities, actuators and keys, of joints that have names."""
        joints, text, tendons = list(self.joints), "", []
        self.dice.shuffle(joints)
        for number, joint in enumerate(joints[:3]):
            terms = [joint] + self.dice.sample([j for j in joints if j != joint], min(self.dice.choice([0, 1, 2]), len(joints) - 1))
            tendons.append(f"t{number}e")
            limit = f' range="{self.numbers(1, -2, -1)} {self.numbers(1, 1, 2)}"' if self.chance(0.6) else ""
            spring = f' stiffness="{self.numbers(1, 0, 5)}" damping="{self.numbers(1, 0, 2)}"' if self.chance(0.5) else ""
            spring += f' springlength="{self.numbers(1, 0.1, 1)}"' if spring and self.chance(0.5) else ""
            self.ranges |= {tendons[-1]} if limit else set()
            text += f'<tendon><fixed name="{tendons[-1]}"{limit}{spring}>' + "".join(f'<joint joint="{j}" coef="{self.numbers(1, 0.5, 2)}"/>' for j in terms) + "</fixed></tendon>\n"
        for _ in range(self.dice.choice([0, 1, 2]) if len(joints) > 1 else 0):
            first, second = self.dice.sample(joints, 2)
            text += f'<equality><joint joint1="{first}" joint2="{second}" polycoef="{self.numbers(self.dice.choice([1, 2, 3, 5]))}"/></equality>\n'
        if tendons and self.chance(0.4):
            text += f'<equality><tendon tendon1="{tendons[0]}" polycoef="{self.numbers(1)}"/></equality>\n'
        if len(self.bodies) > 1 and self.chance(0.5):
            first, second = self.dice.sample(self.bodies, 2)
            text += f'<equality><connect body1="{first}" body2="{second}" anchor="{self.numbers(3)}"/></equality>\n'
        for target in joints[:3] + tendons[:1]:
            text += f"<actuator>{self.actuator(target, 'tendon' if target in tendons else 'joint')}</actuator>\n"
        if self.qpos and self.chance(0.5):
            text += f'<keyframe><key name="k" qpos="{self.numbers(self.qpos)}"/></keyframe>\n'
        return text

    def actuator(self, target, kind):
        tag = self.dice.choice(["motor", "position", "velocity", "general"])
        text = f'<{tag} {kind}="{target}"' + (f' gear="{self.numbers(1, 0.5, 3)}"' if self.chance(0.5) else "")
        if tag == "position":
            text += f' kp="{self.numbers(1, 1, 20)}"' + (f' {self.dice.choice(["kv", "dampratio"])}="{self.numbers(1, 0.1, 1)}"' if self.chance(0.6) else "")
        if tag == "velocity":
            text += f' kv="{self.numbers(1, 1, 5)}"'
        if tag == "general":
            text += f' gainprm="{self.numbers(1, 1, 5)}" biastype="affine" biasprm="{self.numbers(3, -2, 0)}"'
        if tag == "position" and target in self.ranges and self.chance(0.5):
            text += f' inheritrange="{self.numbers(1, 0.5, 1)}"'
        elif self.chance(0.4):
            text += f' ctrlrange="{self.numbers(1, -1, 0)} {self.numbers(1, 0.1, 1)}"'
        return text + (f' forcerange="{self.numbers(1, -5, -1)} {self.numbers(1, 1, 5)}"' if self.chance(0.3) else "") + "/>"

    def files(self):
        """The texts of all files by their names; that of the model comes first."""
        files, attached, asset = {}, "", ""
        if not self.is_part and self.chance(0.3):
            part = RandomModel(-self.seed, f"{self.name}_part", is_part=True)
            files |= part.files()
            asset = f'<asset><model name="part" file="{part.name}.xml"/></asset>\n'
            attached = f'<frame {self.pose()}><attach model="part" prefix="p_"/></frame>\n'
        text = self.text(asset, attached)
        if self.chance(0.2):  # the defaults in a file of their own
            start, end = text.index("<default>"), text.index("<asset>")
            files[f"{self.name}_defaults.xml"] = f"<mujocoinclude>{text[start:end]}</mujocoinclude>\n"
            text = text[:start] + f'<include file="{self.name}_defaults.xml"/>\n' + text[end:]
        return {f"{self.name}.xml": text, **files}

    def text(self, asset, attached):
        defaults = f'''<default>
  <geom density="{self.numbers(1, 500, 1500)}"/>
  <default class="a"><joint armature="{self.numbers(1, 0, 0.3)}" axis="{self.numbers(3)}"/><geom size="0.1 0.2 0.1"/>
    <default class="b"><joint armature="0.05" pos="{self.numbers(3)}"/><geom mass="0.7"/></default></default>
  <default class="c"><geom group="1" euler="{self.angle(-1, 1)} 0 {self.angle(-1, 1)}"/></default>
</default>'''
        assets = f'''<asset>
  <mesh name="block" vertex="0 0 0 1 0 0 0 1 0 0 0 1 1 1 1" scale="{self.numbers(3, 0.1, 0.4)}" inertia="{self.dice.choice(["legacy", "convex", "exact", "shell"])}"/>
  <mesh name="wedge" vertex="0 0 0 1 0 0 0 2 0 0 0 3" face="0 2 1 0 1 3 1 2 3 0 3 2" scale="{self.dice.choice([".2 .2 .2", "-.1 .2 .3"])}" refpos="{self.numbers(3)}" refquat="{self.numbers(4)}"/>
</asset>'''
        world = "\n".join(self.body(self.dice.choice([0, 1, 2, 3]), top=True) for _ in range(self.dice.choice([1, 1, 2])))
        return (f'<mujoco model="{self.name}">\n{self.compiler()}\n{defaults}\n{assets}\n{asset}<worldbody>\n<geom type="plane" size="1 1 1"/>\n'
                f'{world}\n{attached}</worldbody>\n{self.sections()}</mujoco>\n')
