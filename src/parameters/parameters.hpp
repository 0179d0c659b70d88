// Parameter tables: one declaration per parameter serves the command line, TOML, help and the manual.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "parameters/value.hpp"
#include "parameters/value_list.hpp"

namespace umov {

/// What a parameter changes. Which cases are one, so that a run may go on or a row be taken over, follows
/// from those that change results.
enum class Concern {
  by_section,  ///< `add` makes output of it in [output], else result
  result,
  course,  ///< how or how far results are found, what follows from them: a state goes on with another, too
  record,  ///< what is kept of the results while the run goes on: its state goes on with the same alone
  output,  ///< what is written of the results
  machine  ///< what computes, how the run is watched, where its state lies
};

/// What is known of a parameter besides its field. TO ADD A PARAMETER: one `add` call in the family's
/// table (src/dda/case/table.cpp for `umov dda`); nothing else needs an edit.
struct ParameterInfo {
  std::string section;             ///< TOML table; "" = top level
  std::string key;                 ///< TOML key; "" = a flag only
  std::vector<std::string> flags;  ///< "--name"; a boolean's second flag "--no-..." clears it
  std::string unit;
  std::string help;                           ///< one line
  std::string when_unset;                     ///< what happens without a value, for fields that may be empty
  std::string values, metavar, default_text;  ///< filled by `add`
  bool is_switch = false;                     ///< its flags take no argument
  bool repeatable = false;                    ///< flag may come again; TOML array of tables [[section]]
  bool is_path = false;                       ///< names files; in a case relative to its folder
  bool listed = false;                        ///< may be given several values
  std::string schema = {};                    ///< what it takes, as JSON; filled by `add`
  Concern concern = Concern::by_section;

  /// "section.key", or the flag when there is no key: the name in messages and in Origins.
  std::string name() const;
};

/// Where the value of "section.key" (or of a flag without key) came from: "case.toml:14", "--lambda". The
/// second table of a list is "body[1]", its keys are "body[1].radius".
using Origins = std::map<std::string, std::string>;

struct Tree;
class TreeReader;

/// The table without the type of the struct it fills; use ParameterTable.
class ParameterList {
 public:
  /// Reads a tree into `target`. A file named in it is looked for in `folder` first ("": in the current one),
  /// then in the current one. Throws BadInput with the place for an unknown section or key, a wrong type, a
  /// value out of range.
  void read(const Tree&, void* target, Origins& origins, const std::string& folder = "") const;
  /// Reads a file in TOML, whose folder is the one above. Throws BadInput with file and line, for a missing
  /// file and a syntax error too.
  void read_toml(const std::string& path, void* target, Origins& origins) const;

  /// Reads flags; returns the words that are not flags. Throws BadInput naming the flag.
  std::vector<std::string> read_flags(std::span<const std::string> args, void* target,
                                      Origins& origins) const;

  /// TOML text of every parameter with a key; those without a value appear as a comment.
  std::string write_toml(const void* source) const;

  /// Sets the parameter of this name. Throws ValueError for what it does not take.
  void set(const std::string& name, void* target, const Value& value) const;
  /// Names of the parameters that may have several values.
  std::vector<std::string> listed() const;
  /// What `source` has of these, as TOML.
  std::vector<std::string> literals(const std::vector<std::string>& names, const void* source) const;
  /// What tells one case from another: its parameters of these concerns, but for `others`, as TOML. Of a file
  /// its name alone, without its folder, and a digest of what is in it.
  std::string identity(const void* source, const std::vector<Concern>& concerns,
                       const std::vector<std::string>& others = {}) const;

  /// Text for --help: flags by section with argument, unit, default.
  std::string help() const;
  /// Tables in markdown for the manual, one per section.
  std::string markdown() const;
  /// JSON Schema of a case: its tables, what each parameter takes, no other names.
  std::string schema() const;

  const std::vector<ParameterInfo>& parameters() const { return infos_; }
  /// Names that may stand at the top of a case: its keys there, its sections and lists.
  std::vector<std::string> top_names() const;
  /// The parameter that a path names, items by whatever: "body.disk.radius"; nullptr where there is none.
  const ParameterInfo* find(const std::string& path) const;

  /// Throws BadInput, naming the place, for the first parameter that was given (it has an origin) and has no
  /// effect in `target` (see `idle`). `before`, when given, is what the file alone said: what had an effect
  /// there and lost it to a flag is let through.
  void refuse_idle(const void* target, const Origins& origins, const void* before = nullptr) const;

 protected:
  struct Binding {
    std::function<std::string(const void*)> idle;  ///< why it has no effect; "": it has one
    std::function<void(void*, const Value&, std::size_t occurrence)> set;
    std::function<Value(const std::string&)> from_text;
    std::function<std::vector<std::string>(const void*)> write;  ///< one literal per occurrence
  };
  /// A list of structs with a table of their own: a TOML array of tables [[section]].
  struct SubTables {
    std::string section, help;
    std::shared_ptr<const ParameterList> items;
    std::function<void(void*)> clear;
    std::function<void*(void*)> append;  ///< adds an item and returns it
    std::function<std::size_t(const void*)> size;
    std::function<const void*(const void*, std::size_t)> at;
  };
  void append(ParameterInfo, Binding, const void* defaults);
  void append(SubTables lists) { lists_.push_back(std::move(lists)); }
  /// All with a key that another table has, of a part of what this one fills, which `part` finds in it.
  void include(const ParameterList& other, const std::function<void*(void*)>& part);

 private:
  friend class TreeReader;
  std::vector<std::string> sections() const;
  std::string idle_because(std::size_t i, const void* source) const {
    return bindings_[i].idle ? bindings_[i].idle(source) : "";
  }
  void refuse_idle(const void* target, const Origins& origins, const void* before, const std::string& prefix,
                   const std::string& title) const;
  const SubTables* list(const std::string& section) const;
  /// The literal of a parameter as it is written; nothing: it is left out.
  using Writing = std::function<std::optional<std::string>(const ParameterInfo&, const std::string& literal)>;
  std::string toml(const void* source, const Writing&) const;
  std::string section_toml(const std::string& section, const void* source, const Writing&) const;
  std::string list_toml(const SubTables& list, const void* source, const std::string& prefix,
                        const Writing&) const;
  std::string rows(const std::string& section) const;
  std::string list_markdown(const SubTables& list, const std::string& prefix) const;

  std::vector<ParameterInfo> infos_;
  std::vector<Binding> bindings_;
  std::vector<SubTables> lists_;

 protected:
  Binding& binding(const std::string& name) { return bindings_[number_of(name)]; }

 private:
  std::size_t number_of(const std::string& name) const;
};

/// Table of the parameters that fill an S.
template <class S>
class ParameterTable : public ParameterList {
 public:
  /// A parameter bound to a field: `field` takes an S and returns a reference to the T inside.
  template <class T, class Field>
  void add(ParameterInfo info, Codec<T> codec, Field field) {
    info.values = codec.values;
    info.metavar = codec.metavar;
    info.schema = codec.schema;
    info.is_path = codec.is_path;
    info.is_switch = codec.is_switch;
    Binding binding;
    binding.set = [codec, field](void* s, const Value& v, std::size_t) {
      field(*static_cast<S*>(s)) = codec.read(v);
    };
    binding.from_text = codec.from_text;
    binding.write = [codec, field](const void* s) {
      return std::vector<std::string>{codec.write(field(*static_cast<const S*>(s)))};
    };
    const S defaults{};
    append(std::move(info), std::move(binding), &defaults);
  }

  /// The same of a parameter that may be given several values, each of which is a case of its own. `lists`
  /// takes an S and returns its GivenLists, which has them by the parameter's name; the field has the first.
  template <class T, class Lists, class Field>
  void add_listed(ParameterInfo info, Codec<T> codec, Lists lists, Field field) {
    constexpr bool of_lists = std::is_same_v<T, Vec3>;
    const std::string name = info.name();
    info.values = codec.values;
    info.schema = of_lists ? schema::one_or_list(codec.schema) : codec.schema;
    info.metavar = of_lists ? "X,Y,Z | (X,Y,Z),(X,Y,Z),..." : "X | X,X,... | FROM:TO:COUNT";
    info.listed = true;
    const Literal literal = [codec](const Value& v) { return codec.write(codec.read(v)); };
    Binding binding;
    binding.set = [=](void* s, const Value& v, std::size_t) {
      S& target = *static_cast<S*>(s);
      bool several = false;
      GivenList list = read_each(v, of_lists, literal, several);
      field(target) = codec.read(list.values.front());
      lists(target).erase(name);
      if (several) lists(target)[name] = std::move(list);
    };
    binding.from_text = parse_nested;
    binding.write = [=](const void* s) {
      const S& source = *static_cast<const S*>(s);
      const auto found = lists(source).find(name);
      const bool one = found == lists(source).end();
      return std::vector<std::string>{one ? codec.write(field(source)) : toml_of(found->second, literal)};
    };
    const S defaults{};
    append(std::move(info), std::move(binding), &defaults);
  }

  /// A repeatable parameter bound to a vector: the first occurrence replaces the default.
  template <class T, class Field>
  void add_repeated(ParameterInfo info, Codec<T> codec, Field field) {
    info.values = codec.values;
    info.metavar = codec.metavar;
    info.schema = codec.schema;
    info.is_path = codec.is_path;
    info.repeatable = true;
    Binding binding;
    binding.set = [codec, field](void* s, const Value& v, std::size_t occurrence) {
      auto& list = field(*static_cast<S*>(s));
      T item = codec.read(v);
      if (occurrence == 0) list.clear();
      list.push_back(std::move(item));
    };
    binding.from_text = codec.from_text;
    binding.write = [codec, field](const void* s) {
      std::vector<std::string> out;
      for (const auto& item : field(*static_cast<const S*>(s))) out.push_back(codec.write(item));
      return out;
    };
    const S defaults{};
    append(std::move(info), std::move(binding), &defaults);
  }

  /// A field of the items of a list: `list` takes an S and returns the vector, `field` an item and returns a
  /// reference to the T inside. The i-th occurrence is of the i-th item, which is added where there is none;
  /// several such parameters share a list.
  template <class T, class List, class Field>
  void add_item(ParameterInfo info, Codec<T> codec, List list, Field field) {
    info.values = codec.values;
    info.metavar = codec.metavar;
    info.schema = codec.schema;
    info.is_path = codec.is_path;
    info.repeatable = true;
    Binding binding;
    binding.set = [codec, list, field](void* s, const Value& v, std::size_t occurrence) {
      auto& items = list(*static_cast<S*>(s));
      if (items.size() <= occurrence) items.resize(occurrence + 1);
      field(items[occurrence]) = codec.read(v);
    };
    binding.from_text = codec.from_text;
    binding.write = [codec, list, field](const void* s) {
      std::vector<std::string> out;
      for (const auto& item : list(*static_cast<const S*>(s))) out.push_back(codec.write(field(item)));
      return out;
    };
    const S defaults{};
    append(std::move(info), std::move(binding), &defaults);
  }

  /// All that the table of a part has, but for flags without a key: `field` takes an S and returns a
  /// reference to the part.
  template <class Part, class Field>
  void add_all(const ParameterTable<Part>& part, Field field) {
    include(part, [field](void* s) -> void* { return &field(*static_cast<S*>(s)); });
  }

  /// A list of structs, each filled by a table of its own whose parameters have no section. In a file they
  /// are the tables [[section]]; the first replaces what the list held before. Tables nest.
  template <class Item, class Field>
  void add_list(std::string section, std::string help, ParameterTable<Item> items, Field field) {
    SubTables lists;
    lists.section = std::move(section);
    lists.help = std::move(help);
    lists.items = std::make_shared<ParameterTable<Item>>(std::move(items));
    lists.clear = [field](void* s) { field(*static_cast<S*>(s)).clear(); };
    lists.append = [field](void* s) -> void* { return &field(*static_cast<S*>(s)).emplace_back(); };
    lists.size = [field](const void* s) { return field(*static_cast<const S*>(s)).size(); };
    lists.at = [field](const void* s, std::size_t i) -> const void* {
      return &field(*static_cast<const S*>(s))[i];
    };
    ParameterList::append(std::move(lists));
  }

  /// A parameter without a field of its own, as another spelling: `act` receives its value and may change
  /// several. It is read and never written.
  template <class T, class Act>
  void add_action(ParameterInfo info, Codec<T> codec, Act act) {
    info.values = codec.values;
    info.metavar = codec.metavar;
    info.schema = codec.schema;
    info.is_path = codec.is_path;
    info.is_switch = codec.is_switch;
    Binding binding;
    binding.set = [codec, act](void* s, const Value& v, std::size_t) {
      act(*static_cast<S*>(s), codec.read(v));
    };
    binding.from_text = codec.from_text;
    append(std::move(info), std::move(binding), nullptr);
  }

  /// Says when parameters that were added before ("key", "section.key") have no effect: `why` takes an S and
  /// returns the reason, "" where they have one. Given nevertheless they are refused by `refuse_idle`, and
  /// `write_toml` leaves them out.
  template <class Why>
  void idle(const std::vector<std::string>& names, Why why) {
    for (const auto& name : names)
      binding(name).idle = [why](const void* s) -> std::string { return why(*static_cast<const S*>(s)); };
  }

  void read(const Tree& tree, S& target, Origins& origins, const std::string& folder = "") const {
    ParameterList::read(tree, &target, origins, folder);
  }
  void read_toml(const std::string& path, S& target, Origins& origins) const {
    ParameterList::read_toml(path, &target, origins);
  }
  std::vector<std::string> read_flags(std::span<const std::string> args, S& target, Origins& origins) const {
    return ParameterList::read_flags(args, &target, origins);
  }
  std::string write_toml(const S& source) const { return ParameterList::write_toml(&source); }
};

}  // namespace umov
