"""Walking, trotting, and steps that recover from pushes."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias, overload

import numpy as np
import numpy
import numpy.typing
from numpy.typing import ArrayLike, NDArray


import lissom._core
from lissom._core import Work as Work
import lissom._core.control

class GaitOptions:
    """
    What a gait is asked for. A value of 0 is chosen from the robot's size.
    """

    def __init__(self, gait: Literal['balance', 'walk', 'trot'] = ..., steps: int = ..., speed: float = ..., step_length: float = ..., step_time: float = ..., direction: float = ..., yaw_per_step: float = ..., lift: float = ..., double_support: float = ..., heights: Sequence[float] = ..., start_height: float = ..., capture_steps: bool = ..., hold: float = ..., duration: float = ...) -> None: ...

    @property
    def gait(self) -> str:
        """
        'walk': two legs in turn, four legs one at a time; 'trot': four legs, diagonal pairs in turn; 'balance': it stays where it is, and steps only to recover.
        """

    @gait.setter
    def gait(self, value: Literal['balance', 'walk', 'trot'], /) -> None: ...

    @property
    def steps(self) -> int:
        """Swings of a leg, or of a pair of legs; the last ones close the gait."""

    @steps.setter
    def steps(self, value: int, /) -> None: ...

    @property
    def speed(self) -> float:
        """step_length / step_time, m/s; 0: by the size of the robot."""

    @speed.setter
    def speed(self, value: float, /) -> None: ...

    @property
    def step_length(self) -> float:
        """From one step to the next, m; 0: by the size of the robot."""

    @step_length.setter
    def step_length(self, value: float, /) -> None: ...

    @property
    def step_time(self) -> float:
        """From one step to the next, s; 0: by the size of the robot."""

    @step_time.setter
    def step_time(self, value: float, /) -> None: ...

    @property
    def direction(self) -> float:
        """In which it goes, rad: 0 forward, π/2 to its left, π backward."""

    @direction.setter
    def direction(self, value: float, /) -> None: ...

    @property
    def yaw_per_step(self) -> float:
        """By which its heading turns to the left, rad."""

    @yaw_per_step.setter
    def yaw_per_step(self, value: float, /) -> None: ...

    @property
    def lift(self) -> float:
        """Of swinging feet, m; 0: by the size of the robot."""

    @lift.setter
    def lift(self, value: float, /) -> None: ...

    @property
    def double_support(self) -> float:
        """
        Fraction of a step's time in which all feet stand; 0: 0.25, and 0.1 for trots.
        """

    @double_support.setter
    def double_support(self, value: float, /) -> None: ...

    @property
    def heights(self) -> list[float]:
        """Of the ground under each step, from the first, m; the last one stays."""

    @heights.setter
    def heights(self, value: Sequence[float], /) -> None: ...

    @property
    def start_height(self) -> float:
        """Of the ground on which it stands at first, m."""

    @start_height.setter
    def start_height(self, value: float, /) -> None: ...

    @property
    def capture_steps(self) -> bool:
        """Footholds and times are adapted to pushes, and a standing robot steps."""

    @capture_steps.setter
    def capture_steps(self, value: bool, /) -> None: ...

    @property
    def hold(self) -> float:
        """For which it has to stand at the end, s."""

    @hold.setter
    def hold(self, value: float, /) -> None: ...

    @property
    def duration(self) -> float:
        """Of 'balance', s."""

    @duration.setter
    def duration(self, value: float, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class WalkerGains:
    """
    Weights and gains of a walker; frequencies are in terms of ω = √(g / height of the center of mass).
    """

    def __init__(self, dcm_gain: float = ..., com_weight: float = ..., foot_weight: float = ..., base_weight: float = ..., posture_weight: float = ..., upper_weight: float = ..., foot_frequency: float = ..., base_frequency: float = ..., posture_frequency: float = ..., upper_frequency: float = ..., height_frequency: float = ..., momentum_weight: float = ..., momentum_damping: float = ..., hip_reach: float = ..., friction_factor: float = ..., support_scale: float = ..., ramp: float = ...) -> None: ...

    @property
    def dcm_gain(self) -> float:
        """The center of pressure moves by this · the error of ξ; more than 1."""

    @dcm_gain.setter
    def dcm_gain(self, value: float, /) -> None: ...

    @property
    def com_weight(self) -> float: ...

    @com_weight.setter
    def com_weight(self, value: float, /) -> None: ...

    @property
    def foot_weight(self) -> float: ...

    @foot_weight.setter
    def foot_weight(self, value: float, /) -> None: ...

    @property
    def base_weight(self) -> float: ...

    @base_weight.setter
    def base_weight(self, value: float, /) -> None: ...

    @property
    def posture_weight(self) -> float: ...

    @posture_weight.setter
    def posture_weight(self, value: float, /) -> None: ...

    @property
    def upper_weight(self) -> float: ...

    @upper_weight.setter
    def upper_weight(self, value: float, /) -> None: ...

    @property
    def foot_frequency(self) -> float:
        """ω"""

    @foot_frequency.setter
    def foot_frequency(self, value: float, /) -> None: ...

    @property
    def base_frequency(self) -> float:
        """ω"""

    @base_frequency.setter
    def base_frequency(self, value: float, /) -> None: ...

    @property
    def posture_frequency(self) -> float:
        """ω"""

    @posture_frequency.setter
    def posture_frequency(self, value: float, /) -> None: ...

    @property
    def upper_frequency(self) -> float:
        """ω"""

    @upper_frequency.setter
    def upper_frequency(self, value: float, /) -> None: ...

    @property
    def height_frequency(self) -> float:
        """ω"""

    @height_frequency.setter
    def height_frequency(self, value: float, /) -> None: ...

    @property
    def momentum_weight(self) -> float:
        """Of the rate over (mass · height²)."""

    @momentum_weight.setter
    def momentum_weight(self, value: float, /) -> None: ...

    @property
    def momentum_damping(self) -> float:
        """ω"""

    @momentum_damping.setter
    def momentum_damping(self, value: float, /) -> None: ...

    @property
    def hip_reach(self) -> float:
        """
        How far outside the support the center of pressure may be asked for, over the height.
        """

    @hip_reach.setter
    def hip_reach(self, value: float, /) -> None: ...

    @property
    def friction_factor(self) -> float:
        """Fraction of a contact's friction that the controller uses."""

    @friction_factor.setter
    def friction_factor(self, value: float, /) -> None: ...

    @property
    def support_scale(self) -> float:
        """Factor by which soles are scaled about their middle."""

    @support_scale.setter
    def support_scale(self, value: float, /) -> None: ...

    @property
    def ramp(self) -> float:
        """Of contacts that are made or released, 1/ω."""

    @ramp.setter
    def ramp(self, value: float, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Walker:
    """
    Walks: from the sensed state of a robot to torques, tick by tick.

        walker = walking.Walker(robot, stance.q, contacts, steps=8, speed=0.3)
        while not walker.done:
            q, v = simulated.sense()
            simulated.step(walker.advance(q, v).torques)

    It belongs to one caller at a time.
    """

    def __init__(self, robot: lissom._core.Model, q: ArrayLike, feet: lissom._core.RobotContacts | Sequence[lissom._core.Contact | str], options: GaitOptions | None = None, *, controller: lissom._core.control.WholeBodyOptions | None = None, gains: WalkerGains | None = None, gait: Literal['balance', 'walk', 'trot'] = 'walk', steps: int = 6, speed: float = 0.0, step_length: float = 0.0, step_time: float = 0.0, direction: float = 0.0, yaw_per_step: float = 0.0, lift: float = 0.0, double_support: float = 0.0, heights: Sequence[float] = (), start_height: float = 0.0, capture_steps: bool = True, hold: float = 1.5, duration: float = 3.0) -> None:
        """
        The robot stands at q, (nq,), on all feet: its RobotContacts, or Contacts, or names of frames. Fields of GaitOptions may be given by name.
        """

    def advance(self, q: ArrayLike, v: ArrayLike) -> lissom._core.control.Tick:
        """Solves one tick for the sensed state, (nq,), (nv,)."""

    @property
    def phase(self) -> str: ...

    @property
    def done(self) -> bool:
        """It has made all steps, and has come to rest."""

    @property
    def time(self) -> float:
        """s"""

    @property
    def steps(self) -> int:
        """Of the plan that were made."""

    @property
    def planned_steps(self) -> int: ...

    @property
    def capture_steps(self) -> int:
        """
        That a standing robot made, or that were added after the last step of the plan.
        """

    @property
    def adapted_steps(self) -> int:
        """Whose foothold or time was adapted by more than a tenth."""

    @property
    def step_length(self) -> float:
        """m"""

    @property
    def step_time(self) -> float:
        """s"""

    @property
    def remarks(self) -> list[str]:
        """What about the robot makes walking hard, or impossible."""

    @property
    def omega(self) -> float:
        """√(g / height of the center of mass), 1/s."""

    @property
    def dcm(self) -> NDArray[np.float64]:
        """Divergent component of motion ξ, (2,), m."""

    @property
    def desired_dcm(self) -> NDArray[np.float64]:
        """Its reference, (2,), m."""

    @property
    def feet(self) -> list[str]:
        """Frames of the legs' feet."""

    @property
    def footholds(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        Where each foot stands, or lands next, as adapted, (feet, 4): x, y, height of the ground in m, and heading in rad.
        """

class WalkReading:
    """
    What the observer of run() is given after each tick, for the time of its call. All arrays are copies.
    """

    @property
    def time(self) -> float:
        """s"""

    @property
    def q(self) -> NDArray[np.float64]:
        """True configuration, (nq,)."""

    @property
    def v(self) -> NDArray[np.float64]:
        """True velocity, (nv,)."""

    @property
    def tick(self) -> lissom._core.control.Tick:
        """A copy."""

    @property
    def tick_us(self) -> float:
        """Computation time of the walker for this tick, µs."""

    @property
    def phase(self) -> str: ...

    @property
    def steps(self) -> int:
        """That were made."""

    @property
    def capture_steps(self) -> int: ...

    @property
    def dcm(self) -> NDArray[np.float64]:
        """Divergent component of motion ξ, (2,), m."""

    @property
    def desired_dcm(self) -> NDArray[np.float64]:
        """Its reference, (2,), m."""

    @property
    def normals(self) -> NDArray[np.float64]:
        """Normal force of each foot, N."""

class FootReport:
    """A foot at the end of a run."""

    @property
    def frame(self) -> str:
        """Of the foot."""

    @property
    def error(self) -> float:
        """From where the plan, with its adaptations, wants it, m."""

    @property
    def max_normal(self) -> float:
        """N"""

    @property
    def slip(self) -> float:
        """While it carried more than 5 % of the weight, m."""

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class WalkReport:
    """How a walk went, judged on the robot's true state."""

    @property
    def succeeded(self) -> bool:
        """It walked all steps, and stands."""

    @property
    def stopped(self) -> bool:
        """stop() ended the run."""

    @property
    def failure(self) -> str:
        """Why it failed; empty if it succeeded."""

    @property
    def seconds(self) -> float:
        """Simulated time, s."""

    @property
    def planned_steps(self) -> int:
        """Steps that were asked for."""

    @property
    def steps(self) -> int:
        """That were made."""

    @property
    def capture_steps(self) -> int:
        """Steps that were added to catch a push."""

    @property
    def adapted_steps(self) -> int:
        """Steps that were moved to catch a push."""

    @property
    def distance(self) -> float:
        """Of the middle of all feet, from start to end, m."""

    @property
    def turned(self) -> float:
        """From start to end, rad."""

    @property
    def speed(self) -> float:
        """
        Of the center of mass, from the second planned step to the last but one, m/s.
        """

    @property
    def max_dcm_error(self) -> float:
        """Distance of ξ from its reference, m."""

    @property
    def max_tilt(self) -> float:
        """Of the base, from its orientation at the start, heading aside, rad."""

    @property
    def step_length(self) -> float:
        """m"""

    @property
    def step_time(self) -> float:
        """s"""

    @property
    def ticks(self) -> int:
        """Of the controller."""

    @property
    def elastic_ticks(self) -> int:
        """In which constraints were relaxed."""

    @property
    def failed_ticks(self) -> int:
        """Without a solution."""

    @property
    def tick_median(self) -> float:
        """µs, dynamics included."""

    @property
    def tick_p99(self) -> float:
        """µs"""

    @property
    def tick_max(self) -> float:
        """µs"""

    @property
    def max_torque_use(self) -> float:
        """Of the effort limit, before clamping."""

    @property
    def max_torque_joint(self) -> str:
        """The joint with the largest torque over its limit."""

    @property
    def first_elastic(self) -> float:
        """When a tick was first elastic, s; negative: never."""

    @property
    def beyond_limits(self) -> list[str]:
        """
        Joints that went beyond their limits of position or velocity, in words.
        """

    @property
    def feet(self) -> list[FootReport]:
        """A list of FootReport."""

    @property
    def remarks(self) -> list[str]:
        """What about the robot makes walking hard."""

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

def run(robot: lissom._core.Model, q: ArrayLike, feet: lissom._core.RobotContacts | Sequence[lissom._core.Contact | str], options: GaitOptions | None = None, *, gains: WalkerGains | None = None, settle_timeout: float = 6.0, observer: Callable[[WalkReading], Any] | None = None, gait: Literal['balance', 'walk', 'trot'] = 'walk', steps: int = 6, speed: float = 0.0, step_length: float = 0.0, step_time: float = 0.0, direction: float = 0.0, yaw_per_step: float = 0.0, lift: float = 0.0, double_support: float = 0.0, heights: Sequence[float] = (), start_height: float = 0.0, capture_steps: bool = True, hold: float = 1.5, duration: float = 3.0, simulator: Literal['contact', 'prescribed_acceleration'] = 'contact', controller: lissom._core.control.WholeBodyOptions | None = None, step: float | None = None, substeps: int = 1, scene: Any = None, pushes: Iterable[Any] = (), mass_error: float = 0.0, mass_scale: float = 1.0, ground_friction: float | None = None, delay: int = 0, position_noise: float = 0.0, velocity_noise: float = 0.0, seed: int = 0, stop: Callable[[], bool] | None = None, progress: Callable[[float, str], Any] | None = None, record: Any = None, record_frames: Sequence[str] | None = None, ros: Any = 'all') -> WalkReport:
    """
    Walks, trots or balances on a simulated robot, and reports how it went, judged on the robot's true state.

    The robot stands at q, (nq,), at rest, start_height above z = 0. feet: its RobotContacts, whose feet are taken, or Contacts, or names of frames. options: GaitOptions, or its fields by name. gains: of the walker. settle_timeout: after the plan's own time, in which the robot has to come to rest, s.

        robot, contacts, stance = lissom.load_standing_robot('robot.urdf')
        walking.run(robot, stance.q, contacts, speed=0.3, pushes=[('chest', [120, 0, 0], 2, 2.1)])

    simulator: 'contact' applies the torques to a robot in a world of rigid bodies with Coulomb friction, 'prescribed_acceleration' integrates the controller's accelerations. step: length of a tick, s; None: that of the controller's options. substeps: steps of the simulator per tick. scene: a scene file whose fixed shapes stand around the robot; contacts have no more than its friction, unless ground_friction is given. pushes: (frame, force, from, until): a force, (3,), N, on the origin of the frame, along the world's axes, in that time, s.

    What the controller does not know: mass_error: masses and inertias of links are wrong by up to this fraction; mass_scale: and by this factor, all of them; ground_friction: coefficient of the ground, None: that of the contacts; delay: of torques, in ticks; position_noise, velocity_noise: standard deviations of the sensed state, rad and m, rad/s and m/s; seed: of all random numbers.

    observer(reading) is called after each tick; stop() is asked after each tick and ends the run if it returns True; progress(fraction, text) is called every 100 ms. record: a file (.mcap, .npz, .csv) for a recording of the run, with the signals of `lissom control --record`; record_frames: names of frames whose paths are recorded, too; ros: as for recording.Recorder.
    """
