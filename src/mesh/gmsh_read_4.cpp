#include <fmt/format.h>

#include <algorithm>

#include "mesh/gmsh_raw.hpp"

namespace umov::mesh {
namespace {

std::size_t read_count(GmshCursor& c, const char* what) { return c.announced(c.size(what), 1, 4, what); }

std::vector<int> read_tags(GmshCursor& c, const char* what) {
  std::vector<int> tags(read_count(c, what));
  for (int& t : tags) t = c.tag("a tag");
  return tags;
}

/// Box (a point: its place), groups and, but for points, the entities that bound it.
std::vector<int> read_entity_groups(GmshCursor& c, int dim) {
  for (int k = 0; k < (dim == 0 ? 3 : 6); ++k) c.real("an entity's box");
  std::vector<int> physicals = read_tags(c, "physical groups");
  if (dim > 0) read_tags(c, "bounding entities");
  return physicals;
}

}  // namespace

void read_entities_4(GmshCursor& c, RawMesh& raw) {
  c.begin_record();
  std::size_t count[4];
  for (std::size_t& n : count) n = read_count(c, "entities");
  for (int dim = 0; dim < 4; ++dim)
    for (std::size_t i = 0; i < count[dim]; ++i) {
      c.begin_record();
      const int tag = c.integer("an entity's tag");
      raw.physicals[{dim, tag}] = read_entity_groups(c, dim);
    }
}

void read_partitioned_entities_4(GmshCursor& c, RawMesh& raw) {
  c.begin_record();
  c.size("the number of partitions");
  c.begin_record();
  const std::size_t ghosts = read_count(c, "ghost entities");
  for (std::size_t i = 0; i < ghosts; ++i) {
    c.begin_record();
    c.integer("a ghost entity");
    c.integer("a partition");
  }
  c.begin_record();
  std::size_t count[4];
  for (std::size_t& n : count) n = read_count(c, "entities");
  for (int dim = 0; dim < 4; ++dim)
    for (std::size_t i = 0; i < count[dim]; ++i) {
      c.begin_record();
      const int tag = c.integer("an entity's tag"), parent = c.integer("its parent's dimension");
      c.integer("its parent's tag");
      read_tags(c, "partitions");
      auto groups = read_entity_groups(c, dim);
      // where partitions meet in a volume, their faces bear its group's number: no surface of the user's
      if (parent > dim) groups.clear();
      raw.physicals[{dim, tag}] = std::move(groups);
    }
}

void read_nodes_4(GmshCursor& c, RawMesh& raw) {
  c.begin_record();
  const std::size_t blocks = read_count(c, "blocks of nodes");
  const std::size_t total = c.announced(c.size("the number of nodes"), 8, 28, "nodes");
  c.size("the lowest node");
  c.size("the highest node");
  std::vector<std::int64_t> numbers;
  numbers.reserve(total);
  raw.nodes.reserve(total);
  for (std::size_t b = 0; b < blocks; ++b) {
    c.begin_record();
    const int dim = c.integer("a block's dimension");
    c.integer("a block's entity");
    const int parameters = c.integer("a block's parameters") ? std::clamp(dim, 0, 3) : 0;
    const std::size_t count = c.announced(c.size("a block's number of nodes"), 8, 28, "nodes");
    if (count > total - numbers.size())
      c.refuse(fmt::format("a block of {} nodes, {} of {} are left", count, total - numbers.size(), total),
               "the head of $Nodes says otherwise", "save the mesh again");
    const std::size_t first = numbers.size();
    for (std::size_t i = 0; i < count; ++i) {
      c.begin_record();
      numbers.push_back(c.size("a node's number"));
    }
    for (std::size_t i = 0; i < count; ++i) {
      c.begin_record();
      const double x = c.real("a node's x"), y = c.real("a node's y"), z = c.real("a node's z");
      for (int k = 0; k < parameters; ++k) c.real("a node's parameter");
      add_node(raw, numbers[first + i], {x, y, z}, c);
    }
  }
  raw.numbers.assign(std::move(numbers), c);
}

void read_elements_4(GmshCursor& c, RawMesh& raw) {
  c.begin_record();
  const std::size_t blocks = read_count(c, "blocks of elements");
  c.announced(c.size("the number of elements"), 4, 12, "elements");
  c.size("the lowest element");
  c.size("the highest element");
  for (std::size_t b = 0; b < blocks; ++b) {
    c.begin_record();
    const int dim = c.integer("a block's dimension"), entity = c.integer("a block's entity"),
              type = c.integer("a block's type");
    const std::size_t count = c.announced(c.size("a block's number of elements"), 4, 12, "elements");
    const GmshType known = gmsh_type(type);
    const RawMesh::Origin origin{dim, entity, RawMesh::by_entity};
    if (is_kept(type)) {
      const int where = raw.origin(origin);
      std::int64_t nodes[10];
      for (std::size_t i = 0; i < count; ++i) {
        c.begin_record();
        const std::int64_t number = c.size("an element's number");
        for (int k = 0; k < known.nodes; ++k) nodes[k] = c.size("an element's node");
        add_element(raw, type, number, nodes, where, c);
      }
      continue;
    }
    RawMesh::Skipped& s = raw.skipped[type];
    if (s.count == 0) s.first = origin;
    s.count += count;
    if (c.binary() && known.nodes == 0)
      c.refuse(fmt::format("elements of type {}", type), "their number of nodes is not known",
               "save the mesh as text, or without them");
    for (std::size_t i = 0; i < count; ++i) {
      c.begin_record();
      c.size("an element's number");
      if (!c.binary())
        c.line();
      else
        for (int k = 0; k < known.nodes; ++k) c.size("an element's node");
    }
  }
}

}  // namespace umov::mesh
