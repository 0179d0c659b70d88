// The state of a run in time in one file, so that a killed run continues to the same bits.
#include "run/fdtd_checkpoint.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "run/fdtd_front.hpp"

namespace umov::run {

using namespace fdtd;

namespace {

constexpr char magic[8] = {'U', 'M', 'O', 'V', 'F', 'C', '0', '1'};

/// FNV-1a, 64 bits (Fowler, Noll, Vo 1991).
void add_hash(std::uint64_t& hash, const std::string& text) {
  for (const unsigned char c : text) hash = (hash ^ c) * 1099511628211u;
}

void add_file(std::uint64_t& hash, const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  add_hash(hash, {std::istreambuf_iterator<char>(in), {}});
}

/// One walk over all fields serves reading and writing: `f` takes a plain value, a vector of plain values or
/// a text.
template <class File, class Checkpoint>
void visit(File& f, Checkpoint& c) {
  f(c.phase);
  f(c.seconds);
  f(c.stop);
  f(c.divergence);
  f(c.reel.frame_interval);
  f(c.reel.full);
  for (auto* list : {&c.reel.snapshots, &c.reel.frames})
    f.each(*list, [&](auto& s) {
      f(s.name);
      f(s.component);
      f(s.step);
      f(s.time);
      f(s.size);
      f(s.values);
    });
  f.each(c.reference.fourier, [&](auto& values) { f(values); });
  f(c.engine);
  f(c.monitors);
}

class Writer {
 public:
  explicit Writer(const std::string& path) : file_(path) {}
  void bytes(const void* p, std::size_t n) { file_.write({static_cast<const char*>(p), n}); }
  template <class T>
  void operator()(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes(&value, sizeof value);
  }
  template <class T>
  void operator()(const std::vector<T>& list) {
    (*this)(list.size());
    bytes(list.data(), list.size() * sizeof(T));
  }
  void operator()(const std::string& text) {
    (*this)(text.size());
    bytes(text.data(), text.size());
  }
  template <class List, class F>
  void each(const List& list, const F& f) {
    (*this)(list.size());
    for (const auto& item : list) f(item);
  }
  void commit() { file_.commit(); }

 private:
  AtomicFile file_;
};

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path), in_(path, std::ios::binary) {
    if (!in_) throw BadInput("no checkpoint to continue from (" + path + " is missing); run the case again");
    in_.seekg(0, std::ios::end);
    left_ = std::size_t(in_.tellg());
    in_.seekg(0);
  }
  [[noreturn]] void damaged() const {
    throw BadInput(path_ + ": the checkpoint is cut short or damaged; run the case again");
  }
  void bytes(void* p, std::size_t n) {
    if (n > left_ || !in_.read(static_cast<char*>(p), std::streamsize(n))) damaged();
    left_ -= n;
  }
  template <class T>
  void operator()(T& value) {
    bytes(&value, sizeof value);
  }
  template <class T>
  void operator()(std::vector<T>& list) {
    list.resize(length(sizeof(T)));
    bytes(list.data(), list.size() * sizeof(T));
  }
  void operator()(std::string& text) {
    text.resize(length(1));
    bytes(text.data(), text.size());
  }
  template <class List, class F>
  void each(List& list, const F& f) {
    list.resize(length(1));
    for (auto& item : list) f(item);
  }
  bool at_end() const { return left_ == 0; }

 private:
  std::size_t length(std::size_t item) {
    std::size_t n = 0;
    (*this)(n);
    if (n > left_ / item) damaged();
    return n;
  }
  std::string path_;
  std::ifstream in_;
  std::size_t left_ = 0;
};

}  // namespace

std::uint64_t case_fingerprint(const Simulation& simulation) {
  Simulation s = simulation;
  s.stop = {};
  s.outputs = {};
  s.output_dir.clear();
  s.checkpoint = {};
  s.threads = s.device = 0;
  s.backend = "auto";  // the engine's own state knows its backend
  s.force = false;
  std::uint64_t hash = 14695981039346656037u;
  add_hash(hash, resolved_toml(s));
  if (s.picture)
    for (const auto& file : s.picture->files) add_file(hash, file);
  for (const auto& m : s.materials)
    if (!m.nk_file.empty()) add_file(hash, m.nk_file);
  for (const auto& b : s.bodies)
    if (!b.file.empty()) add_file(hash, b.file);
  for (const auto& source : s.sources)
    if (!source.waveform.file.empty()) add_file(hash, source.waveform.file);
  return hash;
}

void save_checkpoint(const FdtdCheckpoint& checkpoint, const std::string& path) {
  Writer out(path);
  out.bytes(magic, sizeof magic);
  out(checkpoint.fingerprint);
  visit(out, checkpoint);
  out.bytes(magic, sizeof magic);
  out.commit();
}

FdtdCheckpoint load_checkpoint(const std::string& path, std::uint64_t fingerprint) {
  Reader in(path);
  char mark[sizeof magic];
  in.bytes(mark, sizeof mark);
  if (std::memcmp(mark, magic, sizeof magic) != 0) throw BadInput(path + ": not a checkpoint of umov fdtd");
  FdtdCheckpoint c;
  in(c.fingerprint);
  if (c.fingerprint != fingerprint)
    throw BadInput(
        path +
        ": the checkpoint belongs to another case (domain, materials, bodies, sources, monitors or a file "
        "differ); continue with the case of that run");
  visit(in, c);
  in.bytes(mark, sizeof mark);
  if (std::memcmp(mark, magic, sizeof magic) != 0 || !in.at_end()) in.damaged();
  return c;
}

}  // namespace umov::run
