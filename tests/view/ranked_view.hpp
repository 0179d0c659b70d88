// Viewers of programs on several ranks, for tests.
#pragma once

#include "view/viewed_program.hpp"

namespace umov::test {

inline Json subscribe(int sub, int array, Json more = Json::object()) {
  more["do"] = "subscribe";
  more["sub"] = sub;
  more["array"] = array;
  more["encoding"] = "f32";
  return more;
}

inline void wait_for_end(Viewer& v) { state_when(v, "finished"); }

}  // namespace umov::test
