// Which parameters of `umov fdtd` have no effect in which case: declared after the parameters themselves.
#pragma once

#include "fdtd/case/case.hpp"

namespace umov::run {

void declare_case_readers(ParameterTable<FdtdCase>&);
void declare_pole_readers(ParameterTable<materials::Pole>&);
void declare_material_readers(ParameterTable<fdtd::MaterialSpec>&);
void declare_body_readers(ParameterTable<fdtd::BodySpec>&);
void declare_source_readers(ParameterTable<FdtdSourceCase>&);
void declare_monitor_readers(ParameterTable<FdtdMonitorCase>&);

/// Dimensions of the domain that a case describes: 1 to 3.
int case_dimensions(const FdtdCase&);

}  // namespace umov::run
