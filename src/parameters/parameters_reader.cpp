// Parameter tables: the reader of TOML cases.
#include "parameters/toml_reader.hpp"

namespace umov {

void ParameterList::read_toml(const std::string& path, void* target, Origins& origins) const {
  TomlReader(path, origins).read(*this, target);
}

void read_varied_toml(const ParameterList& list, const std::string& path, void* target, Origins& origins,
                      std::vector<Variation>& found) {
  TomlReader(path, origins, &found).read(list, target);
}

}  // namespace umov
