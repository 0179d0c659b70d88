// Limits of a GPU for a block and a launch: the one place where kernels learn how much they may ask for. No
// header of CUDA is needed here, so that every choice made of it can be tested without a GPU.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace umov::backend::cuda {

struct Limits {
  /// 10 major + minor of the compute capability: the device's, or that of the code it runs where this is
  /// older (code of 8.0 on a device of 8.6, PTX on a later one).
  int code = 75;
  std::size_t shared_block = 48 << 10;      ///< bytes a block can have when it asks for them
  std::size_t shared_processor = 64 << 10;  ///< bytes of a multiprocessor, for all of its blocks
  std::size_t shared_reserved = 0;          ///< bytes of those that every block costs beside its own
  std::size_t cache = 4 << 20;              ///< bytes of L2
  int registers = 65536;                    ///< of a block, and of a multiprocessor
  int threads = 1024;                       ///< of a multiprocessor
  int processors = 1;                       ///< multiprocessors
  bool clusters = false;                    ///< blocks that see each other's shared memory (9.0)
  bool cooperative = true;                  ///< launches of which all blocks run at once
  std::string forced;                       ///< what UMOV_CUDA_LIMITS says, "" otherwise
};

/// Of a GPU that this process can use; UMOV_CUDA_LIMITS forces them down. Throws BadInput for bad text in it.
Limits limits(int device);
/// Of the GPU that this thread has selected.
Limits current_limits();

/// `device` with what `text` ("sm=75,shared=48K,registers=32K,processors=20,clusters=0,cooperative=0") takes
/// from it; what is larger than the device's own changes nothing. Throws BadInput.
Limits forced_down(Limits device, std::string_view text);

/// What the compiler gave a kernel.
struct KernelNeeds {
  int registers = 0;              ///< of a thread
  std::size_t static_shared = 0;  ///< bytes of a block
};
/// Whether a block of `threads` with `bytes` of dynamic shared memory can run at all.
bool block_fits(const KernelNeeds&, int threads, std::size_t bytes, const Limits&);
/// Most such blocks on one multiprocessor.
int resident_blocks(const KernelNeeds&, int threads, std::size_t bytes, const Limits&);

/// Whether code built for `architectures`, CMake's words with commas between them ("75-real,90,120-virtual"),
/// runs on a device: machine code on later ones of the same generation, PTX on all later ones. Words without
/// a number (native, all) count as yes: only the driver knows.
bool runs_on(std::string_view architectures, int major, int minor);

}  // namespace umov::backend::cuda
