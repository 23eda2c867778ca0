// What descriptions have besides links, joints and loops: roots, tendons, postures, contact filters, and where it was
// read from.
#include "description.h"

namespace lissom::python {

using Term = TendonDescription::Term;
using JointPosition = PostureDescription::JointPosition;
LISSOM_PYTHON_TYPE(Term, "TendonTerm")
LISSOM_PYTHON_TYPE(JointPosition, "JointPosition")

template <>
inline constexpr bool fields_in_place<RootDescription> = true;
template <>
inline constexpr bool fields_in_place<TendonDescription> = true;
template <>
inline constexpr bool fields_in_place<PostureDescription> = true;
template <>
inline constexpr bool fields_in_place<JointPosition> = true;

namespace {

constexpr const char* of_the_file = "Of the file; 0: none.";

void bind_tendons(nb::module_& m) {
  bind_described<Term>(m, "TendonTerm", "One joint of a tendon.",
                       std::tuple{Field{"joint", &Term::joint, "Its name."},
                                  Field{"coefficient", &Term::coefficient, "Of its position in the sum."}});
  using T = TendonDescription;
  bind_described<T>(
      m, "TendonDescription",
      "A weighted sum of joint positions, which acts as one coordinate: a fixed tendon of MuJoCo.",
      std::tuple{Field{"name", &T::name, "Of the tendon."},
                 Field{"terms", &T::terms, "A list of TendonTerm: Σ coefficient · q[joint]."},
                 Field{"lower", &T::lower, "Of the sum."}, Field{"upper", &T::upper, "Of the sum."},
                 Field{"stiffness", &T::stiffness,
                       "Of a spring along the sum, N/m where that is a length, N m/rad where it is an angle."},
                 Field{"rest", &T::rest, "Of the sum, where the spring has no force."},
                 Field{"damping", &T::damping, "Force over the rate of the sum."},
                 Field{"dry_friction", &T::dry_friction, "N, N m"},
                 Field{"armature", &T::armature, "Inertia of the rotor, kg, kg m²."},
                 Field{"line", &T::line, of_the_file}});
}

void bind_postures(nb::module_& m) {
  bind_described<JointPosition>(m, "JointPosition", "The position of one joint in a posture.",
                                std::tuple{Field{"joint", &JointPosition::joint, "Its name."},
                                           Field{"q", &JointPosition::q, "Its elements of q."}});
  using P = PostureDescription;
  bind_described<P>(
      m, "PostureDescription", "A configuration with a name, such as a keyframe of MuJoCo.",
      std::tuple{Field{"name", &P::name, "Of the posture."},
                 Field{"positions", &P::positions, "Joints that are not listed have their neutral position."},
                 Field{"line", &P::line, of_the_file}});
}

void bind_contact_filters(nb::module_& m) {
  using E = ContactExclusion;
  bind_described<E>(m, "ContactExclusion", "Two links whose collisions do not touch each other.",
                    std::tuple{Field{"name", &E::name, "May be empty."}, Field{"a", &E::a, "One link."},
                               Field{"b", &E::b, "The other."}, Field{"line", &E::line, of_the_file}});
  using P = ContactPair;
  bind_described<P>(m, "ContactPair", "Two collision geometries, by name, that touch each other whatever else is said.",
                    std::tuple{Field{"name", &P::name, "May be empty."}, Field{"a", &P::a, "One geometry, by name."},
                               Field{"b", &P::b, "The other."},
                               Field{"friction", &P::friction, "Coefficient; None: that of the geometries' materials."},
                               Field{"line", &P::line, of_the_file}});
}

}  // namespace

void bind_file_extras(nb::module_& m) {
  using R = RootDescription;
  bind_described<R>(
      m, "RootDescription", "How a root link is attached to the world if nobody asks for another base.",
      std::tuple{Field{"link", &R::link, "A root."}, Field{"base", &R::base, "'fixed' or 'free'."},
                 Field{"placement", &R::placement, "In the world, 4 × 4; of a free base: where it starts."},
                 Field{"line", &R::line, of_the_file},
                 Field{"is_ground", &R::is_ground, "It stays fixed whatever base is asked for."}});
  bind_tendons(m);
  bind_postures(m);
  bind_contact_filters(m);
  using K = KeptAttribute;
  bind_described<K>(
      m, "KeptAttribute", "Something a file says that lissom does not use but keeps.",
      std::tuple{Field{"subject", &K::subject, "'joint 'knee'', 'option'."}, Field{"name", &K::name, "As written."},
                 Field{"value", &K::value, "As written."}, Field{"line", &K::line, of_the_file}});
  using S = SourceFile;
  bind_described<S>(m, "SourceFile",
                    "One of the files that a description was read from; lines are numbered on from file to file.",
                    std::tuple{Field{"file", &S::file, "Its path."},
                               Field{"first_line", &S::first_line, "Number of its first line in `line` of findings."}});
}

}  // namespace lissom::python
