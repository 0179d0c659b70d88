// Values of parameters of sources and monitors.
#include "fdtd/spelled.hpp"

namespace umov::fdtd {

Codec<int> sign() {
  Codec<int> codec = integer<int>(Range::between(-1, 1));
  codec.values = "1, -1";
  codec.read = [](const Value& v) {
    const auto x = read_integer(v, {});
    if (x != 1 && x != -1) throw ValueError("wants 1 or -1, not " + describe(v));
    return static_cast<int>(x);
  };
  return codec;
}

}  // namespace umov::fdtd
