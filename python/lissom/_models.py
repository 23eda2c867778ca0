"""Where the models are: in the installed package, or in the checkout that this file lies in."""
import pathlib

_here = pathlib.Path(__file__).resolve().parent
models = _here / "models" if (_here / "models").is_dir() else _here.parent.parent / "models"
