// The door of libFuzzer: fuzzer TARGET [libFuzzer's options] [folders of inputs]. Without a target it lists
// them.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "fuzz/target.hpp"

namespace {
const umov::fuzz::Target* chosen = nullptr;
}

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  const auto& all = umov::fuzz::targets();
  const std::string_view name = *count > 1 ? (*words)[1] : "";
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& t) { return t.name == name; });
  if (found == all.end()) {
    for (const auto& t : all) std::printf("%s\n", t.name);
    std::exit(name.empty() ? 0 : 2);
  }
  chosen = &*found;
  std::copy(*words + 2, *words + *count, *words + 1);
  --*count;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  umov::fuzz::attack(*chosen, {data, size});
  return 0;
}
