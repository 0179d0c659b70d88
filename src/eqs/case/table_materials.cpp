// Parameters of `umov eqs` that describe materials and electrodes.
#include <fmt/format.h>

#include "cases/declare.hpp"
#include "core/text.hpp"
#include "eqs/case/case.hpp"
#include "eqs/case/readers.hpp"
#include "eqs/kind_names.hpp"

namespace umov::eqs {

using cases::item;

namespace {

/// A constant, or the name of a curve.
Codec<std::optional<CurveCase::Value>> constant_or_name(Range range) {
  const std::vector<std::string> names{"microvaristor"};
  return {[=](const Value& v) {
            if (std::holds_alternative<std::string>(v.data))
              return std::optional<CurveCase::Value>(read_choice(v, names));
            return std::optional<CurveCase::Value>(read_number(v, range));
          },
          parse_scalar,
          [](const std::optional<CurveCase::Value>& x) {
            if (!x) return std::string();
            if (const auto* name = std::get_if<std::string>(&*x)) return quoted(*name);
            return shortest(std::get<double>(*x));
          },
          range.text() + "; microvaristor",
          "",
          false,
          false,
          schema::any_of({schema::number(range), schema::words(names)})};
}

/// A file, or pairs of field and value.
Codec<CurveCase::Table> curve_table() {
  return {[](const Value& v) {
            CurveCase::Table t;
            if (const auto* file = std::get_if<std::string>(&v.data)) {
              t.file = *file;
              return t;
            }
            for (const Value& row : read_list(v)) {
              const auto pair = read_list(row);
              if (pair.size() != 2)
                throw ValueError("wants a file or pairs [E, value], not " + describe(row));
              t.field.push_back(read_number(pair[0], Range::at_least(0)));
              t.values.push_back(read_number(pair[1], Range::above(0)));
            }
            return t;
          },
          parse_nested,
          [](const CurveCase::Table& t) {
            if (!t.file.empty()) return path().write(t.file);
            std::string out;
            for (std::size_t i = 0; i < t.field.size(); ++i)
              out += fmt::format("{}[{}, {}]", i ? ", " : "", shortest(t.field[i]), shortest(t.values[i]));
            return out.empty() ? out : "[" + out + "]";
          },
          "CSV file, or [[E, value], ...]",
          "FILE",
          false,
          true,
          schema::any_of({schema::text(), schema::list(schema::list(schema::number({}), 2, 2))})};
}

template <class Field>
void add_curve(ParameterTable<MaterialCase>& t, const std::string& name, const std::string& unit,
               const std::string& help, const std::string& when_unset, Range range, Field field) {
  const auto part = [&](auto member) {
    return [=](auto& c) -> auto& { return field(c).*member; };
  };
  t.add(item(name, unit, help + ": a constant, or the name of a curve.", when_unset), constant_or_name(range),
        part(&CurveCase::value));
  t.add(item(name + "_table", unit, "Or its table over |E| (V/m), the fields ascending.", "none"),
        curve_table(), part(&CurveCase::table));
  t.add(item(name + "_formula", unit, "Or a formula in E (V/m), as \"1e-10 * (1 + (E / 5e5)^4)\".", "none"),
        text("FORMULA"), part(&CurveCase::formula));
  t.add(item(name + "_parameters", "", "Parameters of a named curve; none are its own."), numbers(),
        part(&CurveCase::parameters));
}

}  // namespace

ParameterTable<MaterialCase> material_parameters() {
  ParameterTable<MaterialCase> t;
  t.add(item("name", "", "Its name in messages and results."), text("NAME"), UMOV_CASE(spec.name));
  t.add(item("regions", "", "Volume groups it fills; none is the one of its own name."),
        list_of(text("NAME")), UMOV_CASE(spec.regions));
  add_curve(t, "permittivity", "", "Relative permittivity", "1", Range::above(0), UMOV_CASE(permittivity));
  add_curve(t, "conductivity", "S/m", "Conductivity", "0", Range::at_least(0), UMOV_CASE(conductivity));
  return t;
}

ParameterTable<ElectrodeCase> electrode_parameters() {
  ParameterTable<ElectrodeCase> t;
  t.add(item("name", "", "Its name in messages and results."), text("NAME"), UMOV_CASE(spec.name));
  t.add(item("groups", "", "Surface or volume groups it consists of; none is the one of its own name."),
        list_of(text("NAME")), UMOV_CASE(spec.groups));
  t.add(item("kind", "",
             "driven: potential as below; ground: 0 V; floating: one potential, to be found, and a charge."),
        cases::one_of(electrode_kinds), UMOV_CASE(spec.kind));
  t.add(item("waveform", "",
             "driven: course over time. sine: amplitude sin(2 pi f t + phase); step; impulse: lightning "
             "impulse of IEC 60060-1; table: of a file; constant."),
        cases::one_of(waveform_kinds), UMOV_CASE(spec.waveform.kind));
  t.add(item("amplitude", "V", "driven: peak value; table: factor of the file's values.", "by rms; table: 1"),
        optional_number(), UMOV_CASE(amplitude));
  t.add_action(item("rms", "V", "sine: root mean square, instead of the amplitude."), number(),
               [](ElectrodeCase& c, const double& v) { c.rms = v; });
  t.add(item("frequency", "Hz", "sine: frequency.", "that of [time]"), optional_number(Range::above(0)),
        UMOV_CASE(frequency));
  t.add(item("phase", "deg", "sine: phase."), number(), UMOV_CASE(spec.waveform.phase));
  t.add(item("ramp", "",
             "sine: begin from zero. linear: a factor 2 t / T until t = T / 2; smooth: (1 - cos(pi t / "
             "ramp_time)) / 2."),
        choice<WaveformSpec::Ramp>({{"none", WaveformSpec::Ramp::none},
                                    {"linear", WaveformSpec::Ramp::linear},
                                    {"smooth", WaveformSpec::Ramp::smooth}}),
        UMOV_CASE(spec.waveform.ramp));
  t.add(item("ramp_time", "s", "Length of the ramp; 0 is T / 2 (linear) or T (smooth)."),
        number(Range::at_least(0)), UMOV_CASE(spec.waveform.ramp_time));
  t.add(item("rise", "s", "step: time of a linear rise; 0 is at once."), number(Range::at_least(0)),
        UMOV_CASE(spec.waveform.rise));
  t.add(item("front", "s", "impulse: front time T1."), number(Range::above(0)),
        UMOV_CASE(spec.waveform.front));
  t.add(item("tail", "s", "impulse: time to half value T2."), number(Range::above(0)),
        UMOV_CASE(spec.waveform.tail));
  t.add(item("file", "", "table: CSV of time (s) and value (V).", "none"), path(),
        UMOV_CASE(spec.waveform.file));
  t.add(item("charge", "C", "floating: its net charge."), number(), UMOV_CASE(spec.charge));
  declare_electrode_readers(t);
  return t;
}

}  // namespace umov::eqs
