"""The robots that other programs are asked to read."""
import os
import pathlib


def all_files():
    """The project's own models, and the corpus where it is available ($LISSOM_SHARED, or shared/ beside the repository)."""
    root = pathlib.Path(__file__).resolve().parents[3]
    shared = pathlib.Path(os.environ.get("LISSOM_SHARED", root.parent / "shared"))
    files = [*root.glob("models/*.urdf"), *root.glob("models/mechanisms/*.urdf")]
    for pattern in ("urdf/*/*.urdf", "urdf/*/*.URDF", "mjcf/*/*.xml", "sdf/*/*.sdf", "sdf/*/*.world"):
        files += shared.glob("corpus/" + pattern)
    return [str(file) for file in sorted(files)]
