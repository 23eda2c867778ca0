# Sourced by the run scripts: where things are kept, what is missing, what has to be built.
# shellcheck shell=bash disable=SC2034

usage="usage: run [--seconds S] [--best] BASE:NAME:FILE.urdf …        BASE: fixed or free"

cannot() {  # WHY…: this rival cannot be had here
  echo "$rival: cannot be measured: $*" >&2
  exit 3
}

# parse ARGUMENT…: splits them into options and robots; makes a folder for this run alone.
parse() {
  options=() robots=()
  while (($#)); do
    case $1 in
      --seconds) options+=("$1" "${2:?$usage}") && shift ;;
      --best) options+=("$1") ;;
      fixed:?*:?* | free:?*:?*) robots+=("$1") ;;
      *) echo "$usage" >&2 && exit 2 ;;
    esac
    shift
  done
  ((${#robots[@]})) || { echo "$usage" >&2 && exit 2; }
  store=${LISSOM_RIVALS:-$HOME/.cache/lissom-bench}/$rival
  mkdir -p "$store"
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
}

# python_package NAME: provides it in a virtual environment of its own; sets python, site and version.
python_package() {
  python=$store/venv/bin/python
  if [[ ! -f $store/venv/ready ]]; then
    command -v python3 >/dev/null || cannot "there is no python3"
    echo "$rival: installing the Python package $1" >&2
    python3 -m venv "$store/venv" >&2 || cannot "no virtual environment (Debian: apt-get install python3-venv)"
    "$python" -m pip install --quiet "$1" >&2 || cannot "pip could not install '$1'"
    touch "$store/venv/ready"
  fi
  site=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
  version=$("$python" -c 'import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))' "$1")
}

# python_sources NAME: provides the sources of a Python package; sets sources.
python_sources() {
  sources=$store/sources
  [[ -f $sources/ready ]] && return
  echo "$rival: getting the sources of the Python package $1" >&2
  python3 -m venv "$store/venv" >&2 || cannot "no virtual environment (Debian: apt-get install python3-venv)"
  "$store/venv/bin/python" -m pip download --quiet --no-deps --no-binary :all: --dest "$scratch" "$1" >&2 || cannot "pip could not get the sources of '$1'"
  mkdir -p "$sources"
  tar xzf "$scratch/${1%%=*}"-*.tar.gz --strip-components=1 -C "$sources" || cannot "the sources of '$1' are not an archive"
  touch "$sources/ready"
}

# build COMPILER FLAG…: compiles measure.cpp beside the run script unless that was done before; sets program.
build() {
  local compiler=$1 flags
  shift
  flags=$(cksum <<<"$*")
  command -v "$compiler" >/dev/null || cannot "there is no compiler $compiler"
  program=$store/measure-$version-${compiler##*/}-$("$compiler" -dumpversion)-${flags%% *}
  [[ $program -nt $here/measure.cpp && $program -nt $here/../harness.h && $program -nt $here/run ]] && return
  echo "$rival: compiling the measuring program" >&2
  "$compiler" -DRIVAL_VERSION="\"$version\"" "$here/measure.cpp" -o "$program.new" "$@" >&2 || cannot "it does not compile"
  mv "$program.new" "$program"
}

# build_as BUILD FLAG…: as build, by the compiler that BUILD names, with the rival's own flags alone or with those of our kernels, too (cmake/flags.cmake).
build_as() {
  local name=$1 compiler ours=(-ffp-contract=fast -fno-jump-tables -falign-functions=64)
  shift
  case $name in
    clang) compiler=clang++-19 ours=() ;;
    clang-ours) compiler=clang++-19 ours+=(-fno-slp-vectorize) ;;
    g++) compiler=g++ ours=() ;;
    g++-ours) compiler=g++ ours+=(-fno-tree-slp-vectorize -fno-gcse) ;;
    *) echo "RIVAL_BUILDS: '$name': expected some of clang, clang-ours, g++, g++-ours" >&2 && exit 2 ;;
  esac
  build "$compiler" -DRIVAL_BUILD="\"$name\"" "${ours[@]}" "$@"
}

# find_eigen: sets eigen to the folder of Eigen's headers.
find_eigen() {
  eigen=
  for folder in /usr/include/eigen3 /usr/local/include/eigen3; do [[ -f $folder/Eigen/Core ]] && eigen=$folder; done
  [[ -n $eigen ]] || cannot "there is no Eigen (Debian: apt-get install libeigen3-dev)"
}
