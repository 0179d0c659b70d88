// Bodies continued over periodic walls: their images, a whole number of periods away.
#pragma once

#include <memory>
#include <vector>

#include "fdtd/model/extent.hpp"
#include "shapes/body.hpp"

namespace umov::fdtd {

/// The body and its images that reach into the domain or a few cells beyond its periodic ends; the body alone
/// along axes that it runs through from end to end. Throws BadInput for more images than can be meant.
std::vector<std::unique_ptr<shapes::Body>> with_images(std::unique_ptr<shapes::Body>, const ShapeSpec&,
                                                       const Extent&);

/// All images of all pieces of a shape (bodies.hpp). Throws BadInput behind `label`.
std::vector<std::unique_ptr<shapes::Body>> make_images(const Simulation&, const ShapeSpec&,
                                                       const std::string& label, const Extent&);

/// A periodic axis along which a body without end lies at an angle, so that no images continue it; -1: none.
int slanted_axis(const shapes::Body&, const ShapeSpec&, const Extent&);

}  // namespace umov::fdtd
