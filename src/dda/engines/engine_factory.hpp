// Where make_engine finds the engines of each backend; a backend's own library hands out the same table.
#pragma once

#include <memory>

#include "backend/choose_engine.hpp"
#include "core/contract.hpp"
#include "dda/engine.hpp"

namespace umov::dda {

std::unique_ptr<Engine> make_serial_engine(const EngineRequest&);
std::unique_ptr<Engine> make_cpu_engine(const EngineRequest&);

/// What a backend module answers when asked for the family "dda".
using EngineFactory = backend::EngineFactory<Engine, EngineRequest>;

/// make(0) in the real type of a precision.
template <class Make>
std::unique_ptr<Engine> with_real(Precision precision, const Make& make) {
  switch (precision) {
    case Precision::single:
      return make(0.0F);
    case Precision::double_:
      return make(0.0);
    case Precision::long_double:
      return make(0.0L);
  }
  break_contract("misuse: ", "a precision without a real type", "with_real");
}

}  // namespace umov::dda
