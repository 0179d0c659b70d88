// The kinds of monitors, in the order in which help and results list them. TO ADD ONE: its line here, and a
// file monitors/NAME.cpp that defines NAME_monitor() (kind.hpp).
#pragma once

namespace umov::fdtd {

#define UMOV_MONITOR_KINDS(KIND)                                            \
  KIND(series)      /* field at a point or over a drawn shape */            \
  KIND(flux)        /* Poynting flux through a line, plane or closed box */ \
  KIND(fourier)     /* running Fourier transform of fields over a region */ \
  KIND(near_to_far) /* closed box (or line) and its far field */            \
  KIND(resonance)   /* series at a point with harmonic inversion */         \
  KIND(mode)        /* amplitudes of a waveguide mode through a plane */    \
  KIND(orders)      /* diffraction orders through a plane of a period */    \
  KIND(ldos)        /* power of a point current, Purcell factor */          \
  KIND(snapshot)    /* pictures and arrays of a field on an interval */     \
  KIND(absorption)  /* power that media take, energy of the fields */

#define UMOV_NAME_OF_KIND(name) name,
enum class MonitorKindName { UMOV_MONITOR_KINDS(UMOV_NAME_OF_KIND) };
#undef UMOV_NAME_OF_KIND

class MonitorKind;
#define UMOV_KIND_FUNCTION(name) const MonitorKind& name##_monitor();
UMOV_MONITOR_KINDS(UMOV_KIND_FUNCTION)
#undef UMOV_KIND_FUNCTION

}  // namespace umov::fdtd
