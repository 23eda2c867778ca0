#pragma once
// Reads from machine code for a device (an ELF file that CUDA's tools call cubin) what a kernel takes, without a
// device. Not for users.
#include <span>
#include <string>

#include "lissom/gpu/device.h"

namespace lissom::gpu {

// Throws an Error if this is no machine code with such a kernel. Registers and local memory are zero where the compiler
// did not note them.
KernelResources resources_of(std::span<const char> machine_code, const std::string& kernel);

}  // namespace lissom::gpu
