// Which parameters of `umov fdtd` have no effect in which case: declared after the parameters themselves.
#pragma once

#include "fdtd/case/case.hpp"

namespace umov::fdtd {

void declare_case_readers(ParameterTable<Case>&);
void declare_pole_readers(ParameterTable<materials::Pole>&);
void declare_material_readers(ParameterTable<MaterialSpec>&);
void declare_shape_readers(ParameterTable<BodySpec>&);
void declare_shape_readers(ParameterTable<AbsorberSpec>&);
void declare_layer_readers(ParameterTable<LayerSpec>&);
void declare_source_readers(ParameterTable<SourceCase>&);
void declare_monitor_readers(ParameterTable<MonitorCase>&);
/// Of a parameter that one kind alone reads.
void declare_only_reader(ParameterTable<SourceCase>&, const std::string& key, const char* kind);
void declare_only_reader(ParameterTable<MonitorCase>&, const std::string& key, const char* kind);

/// Whether a case asks for S-parameters.
bool asks_s_parameters(const Case&);

/// Dimensions of the domain that a case describes: 1 to 3.
int case_dimensions(const Case&);

}  // namespace umov::fdtd
