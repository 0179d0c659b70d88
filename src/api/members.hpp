// The families, one function each; api/family.cpp lists them.
#pragma once

#include "api/family.hpp"

namespace umov::api {

const Family& dda();
const Family& fdtd();
const Family& harmonic();
const Family& eqs();
const Family& modes();
const Family& mie();
const Family& solve();

}  // namespace umov::api
