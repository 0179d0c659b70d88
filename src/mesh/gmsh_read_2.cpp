#include <fmt/format.h>

#include <algorithm>

#include "mesh/gmsh_raw.hpp"

namespace umov::mesh {
namespace {

/// The count before the data is a line of text in binary files too.
std::size_t read_count(GmshCursor& c, std::size_t text_bytes, std::size_t binary_bytes, const char* what) {
  c.begin_record();
  const std::int64_t count = c.text_integer(what);
  c.line();
  return c.announced(count, text_bytes, binary_bytes, what);
}

/// One element after its type and number of tags: number, tags, nodes.
struct Element {
  std::int64_t number;
  RawMesh::Origin origin;
  std::int64_t nodes[10];
};

void read_tags(GmshCursor& c, int tags, int dim, Element& e) {
  e.origin = {dim, 0, 0};
  for (int t = 0; t < tags; ++t) {
    if (t == 0)
      e.origin.physical = c.tag("an element's group");
    else if (const int tag = c.integer("an element's tag"); t == 1)
      e.origin.entity = tag;
  }
}

void check_tags(GmshCursor& c, int tags) {
  if (tags < 0 || tags > 1000)
    c.refuse(fmt::format("an element of {} tags", tags), "the file is damaged", "save the mesh again");
}

void keep(RawMesh& raw, int type, const Element& e, const GmshCursor& c) {
  if (is_kept(type)) return add_element(raw, type, e.number, e.nodes, raw.origin(e.origin), c);
  RawMesh::Skipped& s = raw.skipped[type];
  if (s.count++ == 0) s.first = e.origin;
}

void read_text_elements(GmshCursor& c, RawMesh& raw, std::size_t count) {
  Element e;
  for (std::size_t i = 0; i < count; ++i) {
    c.begin_record();
    e.number = c.text_integer("an element's number");
    const int type = c.integer("an element's type"), tags = c.integer("an element's number of tags");
    check_tags(c, tags);
    const GmshType known = gmsh_type(type);
    read_tags(c, tags, known.dim, e);
    if (is_kept(type))
      for (int k = 0; k < known.nodes; ++k) e.nodes[k] = c.text_integer("an element's node");
    else
      c.line();
    keep(raw, type, e, c);
  }
}

void read_binary_elements(GmshCursor& c, RawMesh& raw, std::size_t count) {
  Element e;
  for (std::size_t i = 0; i < count;) {
    const int type = c.integer("a type"), block = c.integer("a number of elements"),
              tags = c.integer("a number of tags");
    const GmshType known = gmsh_type(type);
    check_tags(c, tags);
    if (known.nodes == 0)
      c.refuse(fmt::format("elements of type {}", type), "their number of nodes is not known",
               "save the mesh as text, or without them");
    if (block < 1 || std::size_t(block) > count - i)
      c.refuse(fmt::format("a block of {} elements, {} of {} are left", block, count - i, count),
               "the file is damaged", "save the mesh again");
    for (int b = 0; b < block; ++b, ++i) {
      e.number = c.integer("an element's number");
      read_tags(c, tags, known.dim, e);
      if (is_kept(type))
        for (int k = 0; k < known.nodes; ++k) e.nodes[k] = c.integer("an element's node");
      else
        c.skip_bytes(4 * std::size_t(known.nodes));
      keep(raw, type, e, c);
    }
  }
}

}  // namespace

void read_nodes_2(GmshCursor& c, RawMesh& raw) {
  const std::size_t count = read_count(c, 8, 28, "nodes");
  std::vector<std::int64_t> numbers(count);
  raw.nodes.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    c.begin_record();
    numbers[i] = c.binary() ? c.integer("a node's number") : c.text_integer("a node's number");
    const double x = c.real("a node's x"), y = c.real("a node's y"), z = c.real("a node's z");
    add_node(raw, numbers[i], {x, y, z}, c);
  }
  raw.numbers.assign(std::move(numbers), c);
}

void read_elements_2(GmshCursor& c, RawMesh& raw) {
  const std::size_t count = read_count(c, 8, 8, "elements");
  c.binary() ? read_binary_elements(c, raw, count) : read_text_elements(c, raw, count);
}

}  // namespace umov::mesh
