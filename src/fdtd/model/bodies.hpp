// Bodies as a case declares them, made into shapes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fdtd/model/extent.hpp"
#include "shapes/body.hpp"

namespace umov::fdtd {

/// "body 3 (cylinder)", as messages name it; counted from 1.
std::string body_label(const Simulation&, std::size_t number);
/// The same of an absorber.
std::string absorber_label(const Simulation&, std::size_t number);

/// Throws BadInput naming the body.
std::unique_ptr<shapes::Body> make_body(const Simulation&, std::size_t number);

/// A shape as the bodies it consists of: a mesh has one for all parts that meet. Throws BadInput behind
/// `label`.
std::vector<std::unique_ptr<shapes::Body>> make_pieces(const Simulation&, const ShapeSpec&,
                                                       const std::string& label);

/// The unit that a mesh's file is likely in, where its extent is a thousand times the domain's or as much
/// less, as an end of a message; nothing where none is.
std::string likely_scale(const ShapeSpec&, double extent, double domain);

}  // namespace umov::fdtd
