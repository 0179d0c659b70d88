// Contracts between parts of the program: what a caller owes, and what a function promises.
#pragma once

#include <stdexcept>
#include <string>

namespace umov {

/// A contract is broken: a defect of the program (exit code 1). What users can bring about is BadInput.
struct BrokenContract : std::logic_error {
  using std::logic_error::logic_error;
};

[[noreturn]] inline void break_contract(const char* kind, const char* what, const char* condition) {
  throw BrokenContract(std::string(kind) + what + " [" + condition + "]");
}

}  // namespace umov

// UMOV_EXPECT(condition, what): what must hold on entry, and in words what it means when it does not.
// UMOV_ENSURE(condition, what): the same of what a function leaves. Both are checked as assert() is: wherever
// NDEBUG is not defined, in Release too (its flags are our own). They stand at the boundaries of rooms,
// never in a loop over elements, so that they cost nothing that can be measured.
#ifdef NDEBUG
#define UMOV_CONTRACT(kind, condition, what) static_cast<void>(sizeof(bool(condition)))
#else
#define UMOV_CONTRACT(kind, condition, what) \
  ((condition) ? static_cast<void>(0) : ::umov::break_contract(kind, what, #condition))
#endif
#define UMOV_EXPECT(condition, what) UMOV_CONTRACT("misuse: ", condition, what)
#define UMOV_ENSURE(condition, what) UMOV_CONTRACT("broken promise: ", condition, what)
