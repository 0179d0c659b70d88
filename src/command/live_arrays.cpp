#include "command/live_arrays.hpp"

namespace umov::command {

void LiveArrays::show(view::ArrayInfo info, view::Maker maker) {
  const std::string name = info.name;
  if (const auto known = ids_.find(name); known != ids_.end())
    hub_.update(known->second, std::move(maker), info.shape.empty() ? -1 : info.shape.front());
  else
    ids_[name] = hub_.extend(std::move(info), std::move(maker));
}

void LiveArrays::show(view::Shelf shelf, const std::function<bool(const view::ArrayInfo&)>& passes) {
  for (auto& info : shelf.catalogue.arrays)
    if (!passes || passes(info)) {
      auto maker = std::move(shelf.makers.at(std::size_t(info.id)));
      show(std::move(info), std::move(maker));
    }
}

}  // namespace umov::command
