"""Many robots on a graphics card; on the processor where there is none.

    batch = lissom.gpu.Batch(robot, ["aba"], capacity=2**20, dtype="float32")
    batch.upload("q", Q), batch.upload("v", V), batch.upload("tau", T)    # (B, nq), (B, nv), (B, nv)
    batch.run("aba")
    A = batch.download("a")                                                # (B, nv)

Tensors of PyTorch or CuPy are used where they are, with one row per element and one column per robot:

    batch.run("aba", q=q, v=v, tau=tau, a=a, stream=torch.cuda.current_stream().cuda_stream)
"""
from ._core.gpu import *  # noqa: F401,F403
