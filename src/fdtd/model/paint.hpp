// Painting that says how far it is.
#pragma once

#include <functional>

#include "fdtd/scene.hpp"

namespace umov::fdtd {

/// Hears how much is done, 0 to 1, from the thread that called.
using Told = std::function<void(double done)>;

/// The same as paint() of scene.hpp. Throws Error(Exit::interrupted) soon after a signal has arrived.
void paint(const Simulation&, const Scene&, Problem&, const Told&);

}  // namespace umov::fdtd
