"""Simulation: systems, controllers, integrators; robots in contact."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias, overload

import numpy as np
import numpy
import numpy.typing
from numpy.typing import ArrayLike, NDArray


import lissom
import lissom._core
from lissom._core import Shape
from lissom._core import Work as Work
import lissom._core.recording

class Trajectory:
    """
    A motion that controllers follow. hold() and reach() make them; a function of t does as well.
    """

    def __call__(self, t: float, robot: lissom.Model) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """q, v and a at a time."""

def hold(robot: lissom.Model, q: ArrayLike) -> Trajectory:
    """The trajectory that stays at q, (nq,)."""

def reach(robot: lissom.Model, from_: ArrayLike, to: ArrayLike, seconds: float, start: float = 0.0) -> Trajectory:
    """
    From one configuration, (nq,), to another with minimum jerk, beginning at the time start and lasting some seconds; at rest before and afterwards.
    """

class Controller:
    """
    Computes the torques of the motors. pd(), computed_torque() and gravity_compensation() make them; a function of (t, q, v) does as well.
    """

    @property
    def name(self) -> str: ...

    def __repr__(self) -> str: ...

    def torques(self, robot: lissom.Model, t: float, q: ArrayLike, v: ArrayLike) -> NDArray[np.float64]:
        """Its torques in one state, (nv,), N m or N."""

def pd(robot: lissom.Model, trajectory: Trajectory | ArrayLike | Callable[[float], Any], stiffness: float = 100.0, damping: float = 10.0, gravity_compensation: bool = False) -> Controller:
    """
    tau = stiffness (q_ref - q) + damping (v_ref - v) in every joint; free joints have no motor. trajectory: a Trajectory, a posture (nq,) to hold, or a function of t that returns q, (q, v) or (q, v, a).
    """

def computed_torque(robot: lissom.Model, trajectory: Trajectory | ArrayLike | Callable[[float], Any], stiffness: float = 100.0, damping: float = 10.0) -> Controller:
    """
    tau = M (a_ref + stiffness (q_ref - q) + damping (v_ref - v)) + h: the gains are per unit of inertia, 1/s² and 1/s. trajectory: as for pd().
    """

def gravity_compensation(robot: lissom._core.Model) -> Controller:
    """tau = g(q); free joints have no motor."""

class State:
    """A state at a time. q and v can be changed in place: state.v[0] = 1."""

    def __init__(self, q: ArrayLike, v: ArrayLike, t: float = 0.0, next_step: float = 0.0) -> None:
        """
        q (nq,), v (nv,), t in s; next_step: the length of the next inner step of an integrator with error control, 0 if not known.
        """

    @property
    def t(self) -> float:
        """s"""

    @t.setter
    def t(self, arg: float, /) -> None: ...

    @property
    def next_step(self) -> float:
        """
        The length of the next inner step of an integrator with error control, s; 0 if not known.
        """

    @next_step.setter
    def next_step(self, arg: float, /) -> None: ...

    @property
    def q(self) -> NDArray[np.float64]:
        """Configuration, (nq,)."""

    @q.setter
    def q(self, arg: object, /) -> None: ...

    @property
    def v(self) -> NDArray[np.float64]:
        """Velocity, (nv,)."""

    @v.setter
    def v(self, arg: object, /) -> None: ...

    def __repr__(self) -> str: ...

    def __copy__(self) -> State: ...

    def __deepcopy__(self, memo: object) -> State: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Push:
    """
    A force and a torque on a frame's body that act while from_ ≤ t < until.
    """

    def __init__(self, on: str = ..., force: ArrayLike = ..., torque: ArrayLike = ..., at: ArrayLike = ..., in_: str = ..., from_: float = ..., until: float = ...) -> None: ...

    @property
    def on(self) -> str:
        """Name of the frame."""

    @on.setter
    def on(self, value: str, /) -> None: ...

    @property
    def force(self) -> numpy.typing.NDArray[numpy.float64]:
        """N"""

    @force.setter
    def force(self, value: ArrayLike, /) -> None: ...

    @property
    def torque(self) -> numpy.typing.NDArray[numpy.float64]:
        """N m"""

    @torque.setter
    def torque(self, value: ArrayLike, /) -> None: ...

    @property
    def at(self) -> numpy.typing.NDArray[numpy.float64]:
        """The point of application, in the coordinates of the frame `on`, m."""

    @at.setter
    def at(self, value: ArrayLike, /) -> None: ...

    @property
    def until(self) -> float:
        """s"""

    @until.setter
    def until(self, value: float, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

def push_at(frame: Any, force: ArrayLike, from_: float = ..., until: float = ...) -> Push:
    """
    A force in N on the origin of a frame, along the world's axes, during an interval in s.
    """

class Applied:
    """The forces at one instant."""

    @property
    def commanded(self) -> NDArray[np.float64]:
        """Torques that the controller asks for, (nv,)."""

    @property
    def motors(self) -> NDArray[np.float64]:
        """The same within the effort limits."""

    @property
    def tau(self) -> NDArray[np.float64]:
        """The same plus passive joint forces."""

    @property
    def at_limit(self) -> list[bool]:
        """Whether a motor is at its limit, for each degree of freedom."""

    @property
    def power(self) -> Work:
        """W"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class System:
    """
    A robot and all forces on it: motors, springs, dampers and friction of joints, pushes, closed loops. It belongs to one caller at a time.
    """

    def __init__(self, robot: lissom.Model, passive_forces: bool = True, effort_limits: bool = True, friction_speed: float = 0.001, controller: Any = None) -> None:
        """
        passive_forces: springs, dampers and dry friction of joints. effort_limits: torques are clipped to the joints' effort limits. friction_speed: dry friction is friction · tanh(v / friction_speed), rad/s, m/s.
        """

    def control(self, controller: Any) -> None:
        """
        Sets the controller: a Controller, a function of (t, q, v) that returns tau, an object with a method torques(t, q, v), or None. Where the object has a method gains(), which returns (stiffness, damping), (nv,) each, integrators can be implicit in them.
        """

    def add(self, force: Any) -> None:
        """
        Adds a Push, (frame, force), (frame, force, from, until), a SpringDescription, a PullLaw, or a force law: a function of (t, q, v) that returns {frame: (fx, fy, fz, tx, ty, tz)}, at the frames' origins, along the world's axes.
        """

    @property
    def model(self) -> lissom._core.Model:
        """The robot."""

    @property
    def has_loops(self) -> bool: ...

    @property
    def has_motor_gains(self) -> bool:
        """Whether the controller reports gains."""

    @property
    def state_size(self) -> int:
        """nq + nv."""

    def max_torque(self, dof: int) -> float:
        """The largest torque of a motor, N m or N."""

    def evaluate(self, t: float, q: ArrayLike, v: ArrayLike) -> Applied:
        """The forces of motors and joints in one state."""

    def acceleration(self, t: float, q: ArrayLike, v: ArrayLike) -> NDArray[np.float64]:
        """The acceleration under all forces, (nv,)."""

    def gains(self, t: float, q: ArrayLike, v: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """
        The diagonals of -∂tau/∂q and -∂tau/∂v, (nv,) each. A motor at its limit contributes nothing.
        """

    def project(self, q: ArrayLike, v: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The nearest q and v with which all loops are closed, and stay closed."""

    def derivative(self, t: float, x: ArrayLike) -> NDArray[np.float64]:
        """
        ẋ = f(t, x) with x = (q, v), (nq + nv,), for other solvers: scipy.integrate.solve_ivp(system.derivative, (0, 1), x0).
        """

    def kinetic_energy(self, q: ArrayLike, v: ArrayLike) -> float:
        """J"""

    def potential_energy(self, q: ArrayLike) -> float:
        """Of gravity and of all springs, J."""

class PullSpring:
    """
    A spring and a damper between a point of a robot and a place in the world.
    """

    @property
    def frame(self) -> str:
        """That has the point."""

    @property
    def point(self) -> NDArray[np.float64]:
        """In the frame, m."""

    @property
    def to(self) -> NDArray[np.float64]:
        """In the world, m."""

    @property
    def stiffness(self) -> float:
        """N/m"""

    @property
    def damping(self) -> float:
        """N s/m"""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

def pull_spring(robot: lissom.Model, q: ArrayLike, frame: Any, point: ArrayLike, to: ArrayLike, step: float) -> PullSpring:
    """
    A spring whose gains fit the robot at q: a hand can be pulled gently, and the robot by its hand. point: in the frame, to: in the world, m. Steps of length step, s, stay stable.
    """

class AppliedPull:
    """What a PullLaw did when it was asked last."""

    @property
    def frame(self) -> str:
        """At which it pulls."""

    @property
    def at(self) -> NDArray[np.float64]:
        """The point, in the world, m."""

    @property
    def force(self) -> NDArray[np.float64]:
        """On it, along the world's axes, N."""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class PullLaw:
    """
    Pulls a point of a robot to a place while it moves, as one pulls it with the mouse: a force for System.add and for contact_robot(forces=…). The gains are fitted again every 20 ms of simulated time. Other threads may pull while a run goes on.
    """

    def __init__(self, robot: lissom.Model, step: float) -> None:
        """step: of the simulation, s."""

    def pull(self, frame: Any, point: ArrayLike, to: ArrayLike) -> None:
        """
        Pulls a point of a frame, in its coordinates, to a place in the world, until the next call or release(). m
        """

    def release(self) -> None:
        """Nothing pulls from now on."""

    @property
    def applied(self) -> AppliedPull | None:
        """
        At the beginning of the last step, or at the last stage of an integrator; None while nothing pulls.
        """

class IntegratorInfo:
    """A method of integration."""

    @property
    def name(self) -> str: ...

    @property
    def order(self) -> int: ...

    @property
    def description(self) -> str: ...

    @property
    def max_damping(self) -> float:
        """
        It is stable for M a = -D v - K q while h times the largest eigenvalue of M⁻¹ D is below this.
        """

    @property
    def max_frequency(self) -> float:
        """
        And h times the largest frequency, the root of that of M⁻¹ K, below this.
        """

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

def integrators() -> list[IntegratorInfo]:
    """All methods of integration."""

class Integrator:
    """
    Takes a System from a state to the state one step later. It belongs to one caller at a time.
    """

    def step(self, system: System, state: State, step: float) -> None:
        """
        Takes the state from state.t to state.t + step, s. Where the motion cannot be computed, an Error is raised, and the state is unchanged.
        """

    def linearize(self, system: System, state: State, tau: ArrayLike, step: float) -> StepLinearization:
        """
        The derivatives A, B of the step that this integrator takes from a state, of `step` s, with the torques tau, (nv,), N m or N, of the motors, which stay constant; the controller of the system is not asked. Passive joint forces, springs and pushes act, and closed loops stay closed. dopri5 takes one inner step. Raises an Error where derivatives are not available: force laws, zero_order_hold, other attitudes than exponential, and implicit_euler and variational with closed loops.
        """

    @property
    def info(self) -> IntegratorInfo: ...

    @property
    def name(self) -> str: ...

    @property
    def evaluations(self) -> int:
        """How often the last step evaluated the dynamics."""

    @property
    def work(self) -> lissom._core.Work:
        """Work of all forces in the last step, J."""

    def __repr__(self) -> str: ...

class StepLinearization:
    """
    x(t + step) = A x(t) + B δtau for the error x = (δq, δv), δq in the tangent spaces of q at the beginning and at the end of the step.
    """

    @property
    def A(self) -> NDArray[np.float64]:
        """(2 nv, 2 nv)."""

    @property
    def B(self) -> NDArray[np.float64]:
        """(2 nv, nv)."""

    @property
    def end(self) -> State:
        """The State at the end of the step."""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

def integrator(name: str, attitude: str = 'exponential', zero_order_hold: bool = False, relative_tolerance: float = 1e-06, absolute_tolerance: float = 1e-09, min_step: float = 0.0, solver_tolerance: float = 1e-13, max_iterations: int = 50) -> Integrator:
    """
    An integrator by its name; integrators() lists them. attitude: how orientations are integrated, 'exponential', 'quaternion', or in a chart such as 'euler-zyx'. zero_order_hold: controller and forces are evaluated once per step, and held constant over its stages. relative_tolerance, absolute_tolerance: of dopri5. min_step: dopri5 takes no shorter inner steps, s. solver_tolerance, max_iterations: of implicit integrators.
    """

def fitting_integrator(system: System, state: State, step: float, attitude: str = 'exponential', zero_order_hold: bool = False, relative_tolerance: float = 1e-06, absolute_tolerance: float = 1e-09, min_step: float = 0.0, solver_tolerance: float = 1e-13, max_iterations: int = 50) -> Integrator:
    """
    The integrator that fits the forces of a system in a state: implicit_joints if the controller reports gains (pd does), or if springs, dampers or dry friction of joints are too stiff for rk4 with this step, s; dopri5 if only springs between points are; otherwise rk4. attitude: how orientations are integrated, 'exponential', 'quaternion', or in a chart such as 'euler-zyx'. zero_order_hold: controller and forces are evaluated once per step, and held constant over its stages. relative_tolerance, absolute_tolerance: of dopri5. min_step: dopri5 takes no shorter inner steps, s. solver_tolerance, max_iterations: of implicit integrators.
    """

class Stiffness:
    """The fastest motion that forces of joints cause, relative to a step."""

    @property
    def damping(self) -> float:
        """h λ(M⁻¹ D)"""

    @property
    def frequency(self) -> float:
        """h √λ(M⁻¹ K)"""

    @property
    def damped_joint(self) -> str:
        """That has the largest part in the first one; empty: none."""

    @property
    def stiff_joint(self) -> str:
        """In the second one."""

    @property
    def d(self) -> float:
        """Damping of damped_joint."""

    @property
    def damped_inertia(self) -> float:
        """That it feels, kg m² or kg."""

    @property
    def k(self) -> float:
        """Stiffness of stiff_joint."""

    @property
    def stiff_inertia(self) -> float:
        """That it feels, kg m² or kg."""

    def __repr__(self) -> str: ...

def stiffness_of(system: System, state: State, step: float, springs: Literal['of_joints', 'between_points', 'all'] = 'all') -> Stiffness:
    """How stiff the forces of a system are in a state, for a step in s."""

def instability(system: System, state: State, step: float, integrator: str) -> str:
    """
    A warning with figures, the joint, and what to do, if an integrator is not stable for the system with a step in s; empty if it is.
    """

class FixedShape:
    """Something in the surroundings of a robot that never moves."""

    def __init__(self, name: str = ..., shape: Shape = ..., pose: ArrayLike = ...) -> None: ...

    @property
    def name(self) -> str:
        """Of the thing."""

    @name.setter
    def name(self, value: str, /) -> None: ...

    @property
    def shape(self) -> lissom._core.Shape:
        """A Shape."""

    @shape.setter
    def shape(self, value: Shape, /) -> None: ...

    @property
    def pose(self) -> numpy.typing.NDArray[numpy.float64]:
        """In the world, 4 × 4."""

    @pose.setter
    def pose(self, value: ArrayLike, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Patch:
    """
    A piece of ground for one contact, beside the plane z = 0: a stair, a slope, a wall.
    """

    def __init__(self, contact: int = ..., surface: ArrayLike = ..., length: float = ..., width: float = ...) -> None: ...

    @property
    def contact(self) -> int:
        """Its index; only points of this contact touch the patch."""

    @contact.setter
    def contact(self, value: int, /) -> None: ...

    @property
    def surface(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        Pose of its middle in the world, 4 × 4; it is in the plane z = 0 of this frame, and z points out of the ground.
        """

    @surface.setter
    def surface(self, value: ArrayLike, /) -> None: ...

    @property
    def length(self) -> float:
        """Along its x axis, m; 0: as large as the contact and a margin."""

    @length.setter
    def length(self, value: float, /) -> None: ...

    @property
    def width(self) -> float:
        """Along its y axis, m; 0: as large as the contact and a margin."""

    @width.setter
    def width(self, value: float, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class ContactForce:
    """What a controller expects of one contact."""

    def __init__(self, active: bool = ..., force: ArrayLike = ..., torque: ArrayLike = ...) -> None: ...

    @property
    def active(self) -> bool:
        """The contact is constrained in this tick."""

    @active.setter
    def active(self, value: bool, /) -> None: ...

    @property
    def force(self) -> numpy.typing.NDArray[numpy.float64]:
        """On the frame, along the world's axes, N."""

    @force.setter
    def force(self, value: ArrayLike, /) -> None: ...

    @property
    def torque(self) -> numpy.typing.NDArray[numpy.float64]:
        """About the frame's origin, N m."""

    @torque.setter
    def torque(self, value: ArrayLike, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Command:
    """What a controller asks of a robot in one tick."""

    def __init__(self, torques: ArrayLike = ..., accelerations: ArrayLike = ..., targets: ArrayLike = ..., contacts: Sequence[ContactForce] = ..., failure: str = ...) -> None: ...

    @property
    def torques(self) -> numpy.typing.NDArray[numpy.float64]:
        """(nv,), N m or N."""

    @torques.setter
    def torques(self, value: ArrayLike, /) -> None: ...

    @property
    def accelerations(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        That the controller expects, (nv,); only prescribed_acceleration_robot reads them.
        """

    @accelerations.setter
    def accelerations(self, value: ArrayLike, /) -> None: ...

    @property
    def targets(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        Positions (nq) and then velocities (nv) for the servos of the joints, where RobotOptions gives them some.
        """

    @targets.setter
    def targets(self, value: ArrayLike, /) -> None: ...

    @property
    def contacts(self) -> list[ContactForce]:
        """One ContactForce for each contact."""

    @contacts.setter
    def contacts(self, value: Sequence[ContactForce], /) -> None: ...

    @property
    def failure(self) -> str:
        """Why the controller found no solution; empty if it found one."""

    @failure.setter
    def failure(self, value: str, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class ContactState:
    """The load of a contact: the mean over a tick, without impacts."""

    @property
    def force(self) -> NDArray[np.float64]:
        """On the frame, along the world's axes, N."""

    @property
    def torque(self) -> NDArray[np.float64]:
        """About the frame's origin, N m."""

    @property
    def normal(self) -> float:
        """Normal force of all points together, N."""

    @property
    def friction_use(self) -> float:
        """
        The part of the friction that is needed, largest in the tick; with more than 1 the face slips.
        """

    @property
    def slip(self) -> float:
        """Distance along the ground since the contact closed, m."""

    @property
    def loaded_slip(self) -> float:
        """
        The part of it while the contact carried more than 5 % of the weight, m.
        """

    @property
    def points(self) -> int:
        """Number of points that touch."""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class RobotOptions:
    """
    How a robot in contact is simulated, and what its controller does not know about it.
    """

    def __init__(self, step: float = ..., substeps: int = ..., mass_error: float = ..., mass_scale: float = ..., delay: int = ..., position_noise: float = ..., velocity_noise: float = ..., seed: int = ..., surroundings: Sequence[FixedShape] = ..., patches: Sequence[Patch] = ..., servo_stiffness: ArrayLike = ..., servo_damping: ArrayLike = ...) -> None: ...

    @property
    def step(self) -> float:
        """Length of a tick, s."""

    @step.setter
    def step(self, value: float, /) -> None: ...

    @property
    def substeps(self) -> int:
        """Simulation steps per tick."""

    @substeps.setter
    def substeps(self, value: int, /) -> None: ...

    @property
    def mass_error(self) -> float:
        """
        Mass and inertia of every link are multiplied by a random factor within 1 ± mass_error.
        """

    @mass_error.setter
    def mass_error(self, value: float, /) -> None: ...

    @property
    def mass_scale(self) -> float:
        """And by this factor, the same for all."""

    @mass_scale.setter
    def mass_scale(self, value: float, /) -> None: ...

    @property
    def delay(self) -> int:
        """Ticks between the computation of torques and their application."""

    @delay.setter
    def delay(self, value: int, /) -> None: ...

    @property
    def position_noise(self) -> float:
        """Standard deviation of the measured q, rad and m."""

    @position_noise.setter
    def position_noise(self, value: float, /) -> None: ...

    @property
    def velocity_noise(self) -> float:
        """Standard deviation of the measured v."""

    @velocity_noise.setter
    def velocity_noise(self, value: float, /) -> None: ...

    @property
    def seed(self) -> int:
        """Of all random numbers."""

    @seed.setter
    def seed(self, value: int, /) -> None: ...

    @property
    def surroundings(self) -> list[FixedShape]:
        """
        What stands around the robot, besides the ground: a list of FixedShape. Links whose body has no contact must not touch it. Only contact_robot has them.
        """

    @surroundings.setter
    def surroundings(self, value: Sequence[FixedShape], /) -> None: ...

    @property
    def patches(self) -> list[Patch]:
        """A list of Patch. Only contact_robot has them."""

    @patches.setter
    def patches(self, value: Sequence[Patch], /) -> None: ...

    @property
    def servo_stiffness(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        Gains of servos, (nv,), zero where there is none: joints then take Command.targets instead of torques; empty: they take torques. Only contact_robot has servos.
        """

    @servo_stiffness.setter
    def servo_stiffness(self, value: ArrayLike, /) -> None: ...

    @property
    def servo_damping(self) -> numpy.typing.NDArray[numpy.float64]:
        """The same, for velocities."""

    @servo_damping.setter
    def servo_damping(self, value: ArrayLike, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class SimulatedRobot:
    """
    A robot in contact with the ground, which a controller drives tick by tick. It belongs to one caller at a time.

        robot = sim.contact_robot(model, contacts, q, v, step=1e-3)
        while robot.time < 10:
            q, v = robot.sense()
            if not robot.step(torques(q, v)): raise lissom.Error(robot.failure)
    """

    def step(self, command: ArrayLike | Command | Any) -> bool:
        """
        One tick, with torques (nv,), with a Command, or with a controller, which gets the measured state. False if the run has failed; the state then no longer changes.
        """

    def sense(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Measures (q, v); the noise is independent in every call."""

    @property
    def time(self) -> float:
        """s"""

    @property
    def q(self) -> NDArray[np.float64]:
        """The true configuration, a copy."""

    @property
    def v(self) -> NDArray[np.float64]:
        """The true velocity, a copy."""

    @property
    def model(self) -> lissom._core.Model:
        """The simulated robot, with its true masses."""

    @property
    def command(self) -> Command:
        """The command of the last tick, before the delay."""

    @property
    def failure(self) -> str:
        """Why the run has failed; empty while it has not."""

    @property
    def contacts(self) -> list[ContactState]:
        """Their loads, in the order in which they were given."""

    @property
    def contact_names(self) -> list[str]: ...

    @property
    def follows_accelerations(self) -> bool:
        """
        Whether it moves as the accelerations of its commands say, not its torques.
        """

    def __repr__(self) -> str: ...

def contact_robot(model: lissom.Model, contacts: Sequence[lissom.Contact | str], q: ArrayLike, v: ArrayLike | None = None, pushes: Sequence[Any] = (), options: RobotOptions | None = None, forces: Iterable[Any] = (), **fields: Any) -> SimulatedRobot:
    """
    A robot in a world of rigid bodies with Coulomb friction, which applies the torques of its command within the effort limits. Contacts stick, slip, tip and lift off; a fixed one holds all the time. The run fails if a link hits the ground whose body has no contact. contacts: Contacts, or names of frames. v: None is at rest. pushes: as for System.add. forces: further ones, which depend on the state: PullLaws, or functions of (t, q, v) that return {frame: wrench (6,)}, asked once per step. options, or its fields as keyword arguments: RobotOptions.
    """

def prescribed_acceleration_robot(model: lissom.Model, contacts: Sequence[lissom.Contact | str], q: ArrayLike, v: ArrayLike | None = None, pushes: Sequence[Any] = (), options: RobotOptions | None = None, forces: Iterable[Any] = (), **fields: Any) -> SimulatedRobot:
    """
    A robot that integrates the accelerations of its command, which also determines the active contacts and their forces. Arguments as for contact_robot.
    """

class LoopForce:
    """The largest force in a row of closed loops."""

    @property
    def name(self) -> str:
        """Of the loop, and along or about which axis."""

    @property
    def unit(self) -> str:
        """N or N m"""

    @property
    def max(self) -> float:
        """Its largest absolute value."""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class SaturatedMotor:
    """
    A motor whose controller asked for more than its effort limit, at some readings.
    """

    @property
    def joint(self) -> str:
        """That it drives."""

    @property
    def limit(self) -> float:
        """N m or N"""

    @property
    def fraction(self) -> float:
        """Of the readings."""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Report:
    """What a run has done: energy, momentum, limits, warnings."""

    @property
    def integrator(self) -> str:
        """Its name; empty for a robot in contact."""

    @property
    def seconds(self) -> float:
        """Simulated time."""

    @property
    def wall_seconds(self) -> float:
        """Time of the computation."""

    @property
    def steps(self) -> int:
        """Of the integrator."""

    @property
    def evaluations(self) -> int:
        """Of the dynamics, or ticks of a SimulatedRobot."""

    @property
    def momentum_before(self) -> NDArray[np.float64]:
        """Linear, then angular about the center of mass, (6,)."""

    @property
    def momentum_after(self) -> NDArray[np.float64]:
        """The same at the end."""

    @property
    def max_gap(self) -> float:
        """Of closed loops, m or rad."""

    @property
    def loop_forces(self) -> list[LoopForce]:
        """One for each row of the closed loops."""

    @property
    def max_speed(self) -> float:
        """Of any degree of freedom."""

    @property
    def beyond_limits(self) -> list[str]:
        """Joints outside their position limits at some reading."""

    @property
    def saturated(self) -> list[SaturatedMotor]:
        """Motors at their effort limits."""

    @property
    def stopped(self) -> bool:
        """Whether `stop` ended the run before its time."""

    @property
    def energy_before(self) -> float:
        """Kinetic and potential, J."""

    @property
    def energy_after(self) -> float:
        """J"""

    @property
    def min_energy(self) -> float:
        """J"""

    @property
    def max_energy(self) -> float:
        """J"""

    @property
    def work(self) -> Work:
        """Of everything that acts, J."""

    @property
    def unexplained_energy(self) -> float:
        """
        energy_after - energy_before - work.sum(): the error of the integrator, J.
        """

    @property
    def appeared_energy(self) -> float:
        """
        The largest rise, between two readings, of the unexplained energy, of the work of closed loops and of what can only take energy but gave some, J: energy from nowhere.
        """

    @property
    def appeared_from(self) -> float:
        """The time of the first of these readings, s."""

    @property
    def appeared_until(self) -> float:
        """The time of the second one, s."""

    @property
    def energy_from_nowhere(self) -> bool:
        """
        Whether more appeared than the method may leave: one of the warnings says so, and the motion is not to be trusted.
        """

    @property
    def warnings(self) -> list[str]:
        """What casts doubt on the run."""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Run(lissom._core.recording.Recording):
    """A recording of a simulated motion, with a report."""

    @property
    def report(self) -> Report:
        """Energy, momentum, limits, warnings."""

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

@overload
def run(system: System, state: State, integrator: Integrator | None = None, seconds: float = 1.0, step: float = 0.001, every: int = 1, progress: Callable[[float, State], Any] | None = None, stop: Callable[[], bool] | None = None, record: Any = None, record_frames: Sequence[str] | None = None, settings: Mapping[str, Any] | str | None = None, max_size: float = 4.0, ros: Any = 'all') -> Run:
    """
    Runs a system from a state, which is changed, for some seconds. integrator: None is the one that fits. every: steps per frame. progress(done, state) is called now and then, done is 0 … 1. stop() is asked after each step. record: a file that frames are also written to while the run goes on. An Error has the frames up to it as its attribute `run`. max_size: GB of memory that the frames may take. ros: what an .mcap file has for Foxglove, Rerun and ROS besides, as for recording.Recorder.
    """

@overload
def run(robot: SimulatedRobot, controller: Any, seconds: float = 1.0, every: int = 1, progress: Callable[[float, State], Any] | None = None, stop: Callable[[], bool] | None = None, record: Any = None, record_frames: Sequence[str] | None = None, settings: Mapping[str, Any] | str | None = None, max_size: float = 4.0, ros: Any = 'all') -> Run:
    """
    The same for a robot in contact, from its present state, with a controller that gets the measured state.
    """
