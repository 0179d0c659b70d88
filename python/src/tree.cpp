// Values of Python as trees, and back.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <set>

#include "core/text.hpp"
#include "module.hpp"
#include "sweep/sweep.hpp"

namespace umov::python {

namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw py::type_error(fmt::format("argument '{}': {}", path, why));
}

Tree with_place(Tree tree, const std::string& path) {
  tree.place = "argument '" + path + "'";
  return tree;
}

Tree tree_of_dict(py::handle value, const std::string& path) {
  Tree out;
  for (const auto& [key, item] : py::reinterpret_borrow<py::dict>(value)) {
    if (!py::isinstance<py::str>(key)) refuse(path, "a name in it is no text; write {'radius': 1}");
    const auto name = py::cast<std::string>(key);
    std::get<Tree::Table>(out.data)[name] = tree_of(item, path + "." + name);
  }
  return out;
}

Tree tree_of_sequence(py::handle value, const std::string& path) {
  Tree::List items;
  std::size_t i = 0;
  for (const py::handle item : value) {
    if (item.is_none()) refuse(path, "None is no item of a list; leave it out");
    Tree one = tree_of(item, fmt::format("{}[{}]", path, i++));
    if (one.table()) {
      Tree kept = with_place({}, fmt::format("{}[{}]", path, i - 1));
      merge(kept, one);
      one = std::move(kept);
    }
    items.push_back(std::move(one));
  }
  return Tree(std::move(items));
}

Tree tree_of_integer(py::handle value, const std::string& path) {
  int beyond = 0;
  const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &beyond);
  if (beyond)
    refuse(path, fmt::format("{} is beyond 64 bits; give a smaller number", std::string(py::str(value))));
  return Tree(number);
}

Tree tree_of_complex(const Py_complex& z) { return Tree(std::vector<double>{z.real, z.imag}); }

Tree nothing() {
  Tree t;
  t.data = Tree::Foreign{"None"};
  return t;
}

Tree any_tree_of(py::handle value, const std::string& path) {
  PyObject* const p = value.ptr();
  if (value.is_none()) return nothing();
  if (PyBool_Check(p)) return Tree(p == Py_True);
  if (PyLong_Check(p)) return tree_of_integer(value, path);
  if (PyFloat_Check(p)) return Tree(PyFloat_AS_DOUBLE(p));
  if (PyComplex_Check(p)) return tree_of_complex(PyComplex_AsCComplex(p));
  if (PyUnicode_Check(p)) return Tree(py::cast<std::string>(value));
  if (PyDict_Check(p)) return tree_of_dict(value, path);
  if (PyList_Check(p) || PyTuple_Check(p)) return tree_of_sequence(value, path);
  if (py::hasattr(value, "__fspath__"))
    return Tree(py::cast<std::string>(py::str(value.attr("__fspath__")())));
  if (py::hasattr(value, "tolist")) return tree_of(value.attr("tolist")(), path);
  if (PyIndex_Check(p)) return tree_of_integer(py::reinterpret_steal<py::object>(PyNumber_Index(p)), path);
  refuse(path, fmt::format("a case holds no {} (it has numbers, texts, lists and tables); give one of these",
                           std::string(py::str(py::type::handle_of(value).attr("__name__")))));
}

py::object object_of(const Value& value) {
  return std::visit(
      [](const auto& v) -> py::object {
        if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::vector<Value>>) {
          py::list out;
          for (const Value& item : v) out.append(object_of(item));
          return out;
        } else {
          return py::cast(v);
        }
      },
      value.data);
}

std::string canonical(const Value& value) {
  if (const auto* list = std::get_if<std::vector<Value>>(&value.data)) {
    std::string out;
    for (const Value& item : *list) out += canonical(item) + ",";
    return "[" + out + "]";
  }
  if (const auto* number = std::get_if<long long>(&value.data)) return shortest(double(*number));
  if (const auto* number = std::get_if<double>(&value.data)) return shortest(*number);
  if (const auto* on = std::get_if<bool>(&value.data)) return *on ? "true" : "false";
  return quoted(std::get<std::string>(value.data));
}

/// A keyword of Python into the case: a path, or the parameter that a short name means, of the first item
/// where it is of a list.
void put(Tree& tree, const std::string& section, const std::string& key, bool repeated, py::handle value,
         const std::string& said) {
  Tree what = tree_of(value, said);
  if (!repeated) {
    const std::string path = section.empty() ? key : section + "." + key;
    Tree* top = &tree;
    if (!section.empty()) {
      if (Tree& table = std::get<Tree::Table>(tree.data)[section]; !table.table())
        throw py::type_error(fmt::format("argument '{}': '{}' is no table", said, section));
      else
        top = &table;
    }
    Tree entry;
    std::get<Tree::Table>(entry.data)[key] = std::move(what);
    merge(*top, entry);
    return;
  }
  Tree& list = std::get<Tree::Table>(tree.data)[section];
  if (list.table() && list.table()->empty()) list = with_place(Tree(Tree::List{with_place({}, said)}), said);
  auto* items = std::get_if<Tree::List>(&list.data);
  if (!items || items->size() != 1 || !items->front().table())
    throw py::value_error(
        fmt::format("argument '{0}': the case has several of '{1}' (which is meant?); give all of "
                    "them: {1}=[{{'{2}': ...}}, ...]",
                    said, section, key));
  Tree entry;
  std::get<Tree::Table>(entry.data)[key] = std::move(what);
  merge(items->front(), entry);
}

/// Gives tables on the way to a path, which were made for it, the place of what is there.
void place_tables(Tree& tree, const std::string& path) {
  for (std::size_t dot = path.find('.'); dot != path.npos; dot = path.find('.', dot + 1))
    if (const Tree* made = tree.find(path.substr(0, dot)); made && made->place.empty())
      const_cast<Tree*>(made)->place = "argument '" + path + "'";
}

/// The case as a text, its files with whole paths.
std::string text_of(const Tree& tree) {
  const std::size_t end = tree.place.rfind('/');
  return toml_text(sweep::with_whole_paths(tree, end == std::string::npos ? "" : tree.place.substr(0, end)));
}

}  // namespace

Tree tree_of(py::handle value, const std::string& path) { return with_place(any_tree_of(value, path), path); }

py::object object_of(const Tree& tree) {
  if (const Value* value = tree.value()) return object_of(*value);
  if (const auto* table = tree.table()) {
    py::dict out;
    for (const auto& [name, item] : *table) out[py::str(name)] = object_of(item);
    return out;
  }
  py::list out;
  for (const Tree& item : tree.items()) out.append(object_of(item));
  return out;
}

void merge(Tree& into, const Tree& what) {
  const auto* new_ones = what.table();
  if (!new_ones || !into.table()) {
    into = what;
    return;
  }
  if (!what.place.empty() && into.table()->empty()) into.place = what.place;
  auto& table = std::get<Tree::Table>(into.data);
  for (const auto& [name, item] : *new_ones) {
    if (std::holds_alternative<Tree::Foreign>(item.data))
      table.erase(name);
    else if (item.table() && !(table.count(name) && !table[name].table()))
      merge(table[name], item);
    else
      table[name] = item;
  }
}

namespace {

void take_texts(const Value& value, std::set<std::string>& texts) {
  if (const auto* text = std::get_if<std::string>(&value.data)) texts.insert(*text);
  if (const auto* list = std::get_if<std::vector<Value>>(&value.data))
    for (const Value& item : *list) take_texts(item, texts);
}

void take_texts(const Tree& tree, std::set<std::string>& texts) {
  if (const Value* value = tree.value()) return take_texts(*value, texts);
  if (const auto* table = tree.table())
    for (const auto& [name, item] : *table) take_texts(item, texts);
  else
    for (const Tree& item : tree.items()) take_texts(item, texts);
}

}  // namespace

void CaseTree::hold(py::handle value) {
  PyObject* const p = value.ptr();
  if (PyDict_Check(p)) {
    for (const auto& [key, item] : py::reinterpret_borrow<py::dict>(value)) hold(item);
  } else if (PyList_Check(p) || PyTuple_Check(p)) {
    for (const py::handle item : value) hold(item);
  } else if (PyUnicode_Check(p) && !PyUnicode_CheckExact(p) && py::hasattr(value, "given")) {
    given.push_back(value.attr("given").cast<std::shared_ptr<Given>>());
  }
}

std::vector<std::string> CaseTree::kept() {
  std::vector<std::string> paths;
  if (given.empty()) return paths;
  std::set<std::string> texts;
  take_texts(*this, texts);
  std::erase_if(given, [&](const auto& g) { return !texts.count(g->path); });
  for (const auto& g : given)
    if (!std::count(paths.begin(), paths.end(), g->path)) paths.push_back(g->path);
  return paths;
}

std::string canonical(const Tree& tree) {
  if (const Value* value = tree.value()) return canonical(*value);
  std::string out;
  if (const auto* table = tree.table()) {
    for (const auto& [name, item] : *table)
      if (!(item.table() && item.table()->empty())) out += name + "=" + canonical(item) + ";";
    return "{" + out + "}";
  }
  for (const Tree& item : tree.items()) out += canonical(item) + ",";
  return "[" + out + "]";
}

void add_trees(py::module_& m) {
  py::class_<Tree>(m, "AnyTree");
  py::class_<CaseTree, Tree>(m, "Tree")
      .def(py::init<>())
      .def("copy", [](const CaseTree& t) { return CaseTree(t); })
      .def("kept", &CaseTree::kept)
      .def("hold", &CaseTree::hold)
      .def("merge",
           [](CaseTree& t, const std::string& name, py::handle value) {
             Tree what;
             std::get<Tree::Table>(what.data)[name] = tree_of(value, name);
             merge(t, what);
             t.hold(value);
           })
      .def("put",
           [](CaseTree& t, const std::string& section, const std::string& key, bool repeated,
              py::handle value, const std::string& said) {
             put(t, section, key, repeated, value, said);
             t.hold(value);
           })
      .def("set",
           [](CaseTree& t, const std::string& path, py::handle value) {
             t.set(path, tree_of(value, path));
             place_tables(t, path);
             t.hold(value);
           })
      .def("push_back",
           [](CaseTree& t, const std::string& path, py::handle value) {
             t.push_back(path, tree_of(value, path));
             t.hold(value);
           })
      .def("find",
           [](const Tree& t, const std::string& path) -> py::object {
             const Tree* found = t.find(path);
             return found ? object_of(*found) : py::object(py::none());
           })
      .def("has", [](const Tree& t, const std::string& path) { return t.contains(path); })
      .def("object", [](const Tree& t) { return object_of(t); })
      .def("text", &text_of)
      .def("canonical", [](const Tree& t) { return canonical(t); });
  m.def("tree_of_toml",
        [](const std::string& text, const std::string& name) { return CaseTree{tree_of_toml(text, name)}; });
  m.def("tree_of_toml_file", [](const std::string& path) { return CaseTree{tree_of_toml_file(path)}; });
  m.def("family_of", [](const Tree& t) { return family_of(t).name(); });
}

}  // namespace umov::python
