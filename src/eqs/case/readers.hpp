// Which parameters of `umov eqs` have no effect in which case: declared after the parameters themselves.
#pragma once

#include "eqs/case/case.hpp"

namespace umov::run {

void declare_eqs_case_readers(ParameterTable<EqsCase>&);
void declare_part_readers(ParameterTable<mesh::Part>&);
void declare_electrode_readers(ParameterTable<EqsElectrodeCase>&);

}  // namespace umov::run
