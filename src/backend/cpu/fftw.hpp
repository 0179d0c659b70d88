// FFTW behind one small class for all three precisions; plans are made once and run from any thread.
#pragma once

#include <fftw3.h>

#include <mutex>

#include "core/complex.hpp"
#include "core/types.hpp"

namespace umov::backend::cpu {

/// FFTW's planner is not thread safe: every plan in the program is made under this lock.
inline std::mutex& planner_lock() {
  static std::mutex lock;
  return lock;
}

/// The names of FFTW's functions for one precision.
template <class T>
struct Fftw;

#define UMOV_FFTW(T, P)                                                                                    \
  template <>                                                                                              \
  struct Fftw<T> {                                                                                         \
    using plan = P##_plan;                                                                                 \
    static plan make(int n, int count, Complex<T>* data, int stride, int distance, int sign, unsigned f) { \
      auto* p = reinterpret_cast<P##_complex*>(data);                                                      \
      return P##_plan_many_dft(1, &n, count, p, nullptr, stride, distance, p, nullptr, stride, distance,   \
                               sign, f);                                                                   \
    }                                                                                                      \
    static plan make_from(int n, int count, Complex<T>* in, int istride, int idist, Complex<T>* out,       \
                          int ostride, int odist, int sign, unsigned f) {                                  \
      return P##_plan_many_dft(1, &n, count, reinterpret_cast<P##_complex*>(in), nullptr, istride, idist,  \
                               reinterpret_cast<P##_complex*>(out), nullptr, ostride, odist, sign, f);     \
    }                                                                                                      \
    static void run(plan p, Complex<T>* in, Complex<T>* out) {                                             \
      P##_execute_dft(p, reinterpret_cast<P##_complex*>(in), reinterpret_cast<P##_complex*>(out));         \
    }                                                                                                      \
    static void destroy(plan p) { P##_destroy_plan(p); }                                                   \
  };
UMOV_FFTW(float, fftwf)
UMOV_FFTW(double, fftw)
UMOV_FFTW(long double, fftwl)
#undef UMOV_FFTW

}  // namespace umov::backend::cpu
