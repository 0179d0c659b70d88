// A case's materials, picture and bodies, made into a scene.
#include "fdtd/model/alike_media.hpp"
#include "fdtd/model/bodies.hpp"
#include "fdtd/model/images.hpp"
#include "fdtd/model/layered_scene.hpp"
#include "fdtd/model/materials.hpp"
#include "fdtd/model/picture.hpp"

namespace umov::fdtd {
std::unique_ptr<Scene> make_scene(const Simulation& s, bool reference) {
  const Extent extent = extent_of(s);
  MaterialList materials(s);
  // The reference run has all materials too, so that its time step is the same.
  std::unique_ptr<Ground> ground;
  if (s.picture) ground = make_texel_ground(*s.picture, extent, materials);
  if (!ground || reference) ground = std::make_unique<UniformGround>();
  std::vector<Layer> layers;
  for (std::size_t b = 0; b < s.bodies.size(); ++b) {
    // All are made, so that a mistake shows up before a run and not after it.
    const int material = materials.index(s.bodies[b].material, body_label(s, b));
    auto bodies = make_images(s, s.bodies[b], body_label(s, b), extent);
    if (reference && !s.bodies[b].in_reference) continue;
    for (auto& body : bodies) layers.push_back({std::move(body), material});
  }
  auto list = materials.take();
  auto alike = alike_media(s, list);
  return std::make_unique<LayeredScene>(extent, std::move(list), std::move(alike), std::move(ground),
                                        std::move(layers));
}

}  // namespace umov::fdtd
