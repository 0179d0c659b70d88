// Parameters that choose where to compute: the same in every family.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cases/declare.hpp"

namespace umov::cases {

/// More threads than any machine has cores; each takes a stack of its own.
constexpr int most_threads = 1024;

/// A word or the number of a GPU, as `--device` takes it.
inline Codec<Value> device_word() {
  return {[](const Value& v) {
            if (std::holds_alternative<long long>(v.data))
              return Value{read_integer(v, Range::between(0, 1023))};
            return Value{read_choice(v, {"list", "cpu", "gpu", "auto"})};
          },
          parse_scalar,
          nullptr,
          "",
          "list|cpu|gpu|auto|N",
          false};
}

/// What `--device` means to a case.
template <class Case>
void choose_device(Case& c, const Value& v) {
  if (const auto* n = std::get_if<long long>(&v.data)) {
    c.machine.device = static_cast<int>(*n);
    c.machine.backend = "cuda";
    if constexpr (requires { c.device_by_number; }) c.device_by_number = true;
    return;
  }
  const auto& word = std::get<std::string>(v.data);
  c.list_devices = word == "list";
  if (!c.list_devices) c.machine.backend = word == "gpu" ? "cuda" : word;
}

/// A flag that sets a field to one value.
template <class Case, class T, class Field>
void add_shortcut(ParameterTable<Case>& t, const std::string& flag, const std::string& help, Field field,
                  T value) {
  t.add_action(declare("machine", "", {flag}, "", help), boolean(), [=](Case& c, const bool& on) {
    if (on) field(c) = value;
  });
}

/// How a family spells its GPU.
struct GpuSpelling {
  int lowest = 0;  ///< number of a GPU
  std::string number = "Number of the GPU.", flag = "--gpu", text = "Compute on the GPU (backend = 'cuda').";
};

/// backend, device, --device, --cpu, the GPU's flag and threads.
template <class Case>
void add_device_parameters(ParameterTable<Case>& t, const GpuSpelling& gpu = {}) {
  const char* s = "machine";
  t.add(of_machine(declare(s, "backend", {"--backend"}, "", "What computes.")), word_of([] {
          return std::vector<std::string>{"auto", "serial", "cpu", "cuda"};
        }),
        UMOV_MACHINE(backend));
  t.add(of_machine(declare(s, "device", {}, "", gpu.number)), integer<int>(Range::between(gpu.lowest, 1023)),
        UMOV_MACHINE(device));
  t.add_action(declare(s, "", {"--device"}, "",
                       "list prints the devices and stops; cpu, gpu, auto or the number of a GPU chooses."),
               device_word(), choose_device<Case>);
  add_shortcut(t, "--cpu", "Compute on the CPU (backend = 'cpu').", UMOV_MACHINE(backend), "cpu");
  add_shortcut(t, gpu.flag, gpu.text, UMOV_MACHINE(backend), "cuda");
  t.add(of_machine(declare(s, "threads", {"--threads"}, "", "Threads of the cpu backend; 0 means all.")),
        integer<int>(Range::between(0, most_threads)), UMOV_MACHINE(threads));
}

}  // namespace umov::cases
