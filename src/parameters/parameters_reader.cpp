// Parameter tables: the reader of cases.
#include "parameters/tree_reader.hpp"

namespace umov {

void ParameterList::read(const Tree& tree, void* target, Origins& origins, const std::string& folder) const {
  TreeReader(folder, origins).read(*this, tree, target);
}

void ParameterList::read_toml(const std::string& path, void* target, Origins& origins) const {
  read(tree_of_toml_file(path), target, origins, fs::path(path).parent_path().string());
}

void read_varied(const ParameterList& list, const Tree& tree, void* target, Origins& origins,
                 const std::string& folder, std::vector<Variation>& found) {
  TreeReader(folder, origins, &found).read(list, tree, target);
}

}  // namespace umov
