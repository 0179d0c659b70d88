// A run in time as named arrays for viewers: fields, model, marks, curves of monitors.
#pragma once

#include <vector>

#include "fdtd/run/march.hpp"
#include "view/hub.hpp"
#include "view/stored.hpp"

namespace umov::fdtd {

/// A field that viewers may ask for: which components, and what of them.
struct LiveField {
  enum class Kind { component, magnitude, intensity, rms } kind = Kind::component;
  unsigned components = 0;  ///< bit c: component c
};

/// What there is to see when a march begins. Fields are live and have the ids 0, 1, ...; `fields` gets them.
view::Shelf live_shelf(const Prepared&, const March&, std::vector<LiveField>& fields);

/// The field as the engine has it now; of rms what a mean is taken of, the intensity.
std::vector<float> sample_field(const Engine&, const LiveField&, const view::Request&);

/// The curves of the monitors so far, in no particular place of a catalogue. `engine`: the march's, asked on
/// all of its ranks.
view::Shelf monitor_curves(const Prepared&, const March&, const Engine& engine);

}  // namespace umov::fdtd
