// The kinds of sources, in the order in which help lists them. TO ADD ONE: its line here, and a file
// sources/NAME.cpp that defines NAME_source() (kind.hpp).
#pragma once

namespace umov::fdtd {

#define UMOV_SOURCE_KINDS(KIND)                                             \
  KIND(point)      /* current at a point */                                 \
  KIND(line)       /* current along a line */                               \
  KIND(box)        /* current in a box */                                   \
  KIND(shape)      /* current in drawn cells */                             \
  KIND(plane_wave) /* plane wave in a box of total field */                 \
  KIND(mode)       /* mode of a waveguide, launched from a cross-section */ \
  KIND(beam)       /* Gaussian beam, launched from a plane */

#define UMOV_NAME_OF_KIND(name) name,
enum class SourceKindName { UMOV_SOURCE_KINDS(UMOV_NAME_OF_KIND) };
#undef UMOV_NAME_OF_KIND

class SourceKind;
#define UMOV_KIND_FUNCTION(name) const SourceKind& name##_source();
UMOV_SOURCE_KINDS(UMOV_KIND_FUNCTION)
#undef UMOV_KIND_FUNCTION

}  // namespace umov::fdtd
