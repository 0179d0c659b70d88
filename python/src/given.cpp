// Arrays of NumPy where a case names a file: readers take the numbers from where they lie.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "module.hpp"

namespace umov::python {

namespace {

NumberKind kind_of(const py::array& a) {
  static constexpr std::pair<const char*, NumberKind> kinds[] = {
      {"|b1", NumberKind::boolean}, {"|i1", NumberKind::i8},  {"<i2", NumberKind::i16},
      {"<i4", NumberKind::i32},     {"<i8", NumberKind::i64}, {"|u1", NumberKind::u8},
      {"<u2", NumberKind::u16},     {"<u4", NumberKind::u32}, {"<u8", NumberKind::u64},
      {"<f4", NumberKind::f32},     {"<f8", NumberKind::f64}, {"<c8", NumberKind::c64},
      {"<c16", NumberKind::c128}};
  const auto said = a.dtype().attr("str").cast<std::string>();
  for (const auto& [text, kind] : kinds)
    if (said == text) return kind;
  throw py::type_error(
      fmt::format("numbers of type {} (whole, real and complex ones of this machine are read)", said));
}

/// Lets go of objects of Python from any thread.
std::shared_ptr<const void> holding(py::list objects) {
  return {new py::list(std::move(objects)), [](const void* held) {
            if (!Py_IsInitialized()) return;  // they end with the interpreter
            const py::gil_scoped_acquire with;
            delete static_cast<const py::list*>(held);
          }};
}

/// `arrays`: name and numbers, C-contiguous, of each. They are not copied, and held together with `beside`.
std::shared_ptr<Given> give(const std::string& path, const std::string& said, const py::list& arrays,
                            std::map<std::string, std::vector<std::string>> names, py::object beside) {
  GivenArrays out{said, {}, std::move(names)};
  py::list held;
  held.append(std::move(beside));
  for (const py::handle item : arrays) {
    const auto pair = item.cast<py::tuple>();
    const auto a = pair[1].cast<py::array>();
    if (!(a.flags() & py::array::c_style)) throw py::value_error("an array that is not contiguous");
    out.arrays.push_back({pair[0].cast<std::string>(),
                          kind_of(a),
                          {a.shape(), a.shape() + a.ndim()},
                          static_cast<const std::byte*>(a.data())});
    held.append(a);
  }
  out.owner = holding(std::move(held));
  return std::make_shared<Given>(Given{path, give_arrays(path, std::move(out))});
}

/// (name, address of the first number, bytes) of each array under a path, as readers see them; None where
/// there are none.
py::object seen(const std::string& path) {
  const auto given = given_arrays(path);
  if (!given) return py::none();
  py::list out;
  for (const GivenArray& a : given->arrays)
    out.append(py::make_tuple(a.name, reinterpret_cast<std::uintptr_t>(a.data), a.size()));
  return out;
}

}  // namespace

void add_given(py::module_& m) {
  py::class_<Given, std::shared_ptr<Given>>(m, "Given");
  m.def("give", &give);
  m.def("given", &seen);
}

}  // namespace umov::python
