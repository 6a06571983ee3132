#include "plugins/plugin_library.hpp"

#include <dlfcn.h>
#include <dsh/abi.h>
#include <link.h>

#include <algorithm>
#include <boost/dll/shared_library.hpp>
#include <cstring>
#include <utility>

#include "plugins/elf_file.hpp"
#include "text/error.hpp"
#include "text/utf.hpp"
#include "text/visible.hpp"

namespace dsh::loader {
namespace {

constexpr std::size_t max_label = 128;         // bytes of a name or a service id
constexpr std::size_t max_services = 256;      // ids in inject
constexpr std::size_t max_schema = 1'000'000;  // bytes of a config schema: dsh/plugin.h

/// The linker's words out of what Boost.DLL wraps around them.
std::string linker_words(const std::exception &error) {
  const std::string_view text = error.what();
  constexpr std::string_view before = "dlerror system message: ";
  const auto start = text.find(before);
  if (start == std::string_view::npos) return visible(text);
  const auto words = text.substr(start + before.size());
  return visible(words.substr(0, words.rfind("):")));
}

boost::dll::shared_library map_library(const std::filesystem::path &path) {
  // Bound at once, so that a missing symbol shows now; local, so that plugins don't see each other.
  using mode = boost::dll::load_mode::type;
  return boost::dll::shared_library(path,
                                    static_cast<mode>(static_cast<int>(boost::dll::load_mode::rtld_now) |
                                                      static_cast<int>(boost::dll::load_mode::rtld_local)));
}

/// What the linker says of a file that it refuses.
std::string refusal_of(const std::filesystem::path &path) {
  try {
    map_library(path);
    return "the linker takes it";
  } catch (const std::exception &error) {
    return linker_words(error);
  }
}

std::string load_failure(const std::filesystem::path &path, const std::string &words) {
  std::string kind = "the linker refuses it";
  if (words.find("undefined symbol") != std::string::npos)
    kind = "it uses a symbol that no library provides";
  else if (words.find("cannot open shared object file") != std::string::npos &&
           !words.starts_with(path.string()))
    kind = "a library that it needs is missing";
  return "can't load plugin " + visible_path(path) + ": " + kind + ": " + words;
}

/// A readable stretch of a mapped library.
struct Segment {
  const char *start = nullptr;
  std::size_t size = 0;
  bool executable = false;
};

/// The mapped segment that holds `address`, in whatever library; empty when there is none.
Segment segment_at(const void *address) {
  struct Search {
    const char *address;
    Segment found;
  } search{static_cast<const char *>(address), {}};
  ::dl_iterate_phdr(
      [](dl_phdr_info *object, std::size_t, void *user) {
        auto &wanted = *static_cast<Search *>(user);
        for (std::size_t i = 0; i < object->dlpi_phnum; ++i) {
          const auto &header = object->dlpi_phdr[i];
          const auto into =
              reinterpret_cast<std::uintptr_t>(wanted.address) - object->dlpi_addr - header.p_vaddr;
          if (header.p_type == PT_LOAD && (header.p_flags & PF_R) != 0 && into < header.p_memsz) {
            wanted.found = {wanted.address - into, header.p_memsz, (header.p_flags & PF_X) != 0};
            return 1;
          }
        }
        return 0;
      },
      &search);
  return search.found;
}

/// A symbol that a library exports itself.
struct Symbol {
  const void *address = nullptr;
  int type = STT_NOTYPE;  ///< STT_NOTYPE where the symbol table doesn't tell
  std::size_t size = 0;   ///< bytes; 0 where the symbol table doesn't tell
};

/// Reads the symbols of the contract out of one mapped library.
class Exports {
 public:
  Exports(const boost::dll::shared_library &library, const std::filesystem::path &path)
      : library_(library), path_(path) {
    if (::dlinfo(library.native(), RTLD_DI_LINKMAP, static_cast<void *>(&map_)) != 0)
      fail("the system doesn't tell where it is mapped");
  }

  [[noreturn]] void fail(const std::string &what) const {
    throw Error("can't use plugin " + visible_path(path_) + ": " + what);
  }

  /// Nothing when the library itself doesn't export `symbol`: dlsym would also find a dependency's.
  std::optional<Symbol> find(const char *symbol) const {
    if (!library_.has(symbol)) return std::nullopt;
    const void *address = &library_.get<const char>(symbol);
    Dl_info place{};
    void *extra = nullptr;
    if (::dladdr1(address, &place, &extra, RTLD_DL_LINKMAP) == 0 || extra != map_) return std::nullopt;
    Symbol found{address};
    if (::dladdr1(address, &place, &extra, RTLD_DL_SYMENT) != 0 && extra != nullptr &&
        place.dli_saddr == address) {
      const auto &entry = *static_cast<const ElfW(Sym) *>(extra);
      found.type = ELF64_ST_TYPE(entry.st_info);
      found.size = static_cast<std::size_t>(entry.st_size);
    }
    return found;
  }

  Symbol require(const char *symbol) const {
    if (const auto found = find(symbol)) return *found;
    std::string why;
    try {
      Dl_info place{};
      why = ::dladdr(&library_.get<const char>(symbol), &place) == 0
                ? "what is called so is thread-local data, of which no host has a copy; declare it as "
                  "dsh/plugin.h does"
                : "a library that it needs has one, but that is not its own";
    } catch (const std::exception &error) {
      why = linker_words(error);
    }
    fail("it exports no symbol `" + std::string(symbol) + "`: " + why);
  }

  /// The address of data of `size` bytes, or of a multiple where it is an array.
  const void *data(const char *symbol, const Symbol &found, std::size_t size, bool array) const {
    if (found.type != STT_NOTYPE && found.type != STT_OBJECT)
      fail("its symbol `" + std::string(symbol) + "` is no data");
    const bool fits = array ? found.size % size == 0 : found.size == size;
    if (found.size != 0 && !fits)
      fail("its symbol `" + std::string(symbol) + "` has " + std::to_string(found.size) +
           " bytes instead of " + std::to_string(size) + ": is it declared as in dsh/plugin.h?");
    const auto segment = segment_at(found.address);
    if (segment.size == 0 || bytes_left(segment, found.address) < size)
      fail("its symbol `" + std::string(symbol) + "` can't be read");
    return found.address;
  }

  /// The text that the pointer at `slot` leads to, which must end within a mapped library.
  std::string text(const std::string &what, const void *slot, std::size_t limit) const {
    const char *start = nullptr;
    std::memcpy(static_cast<void *>(&start), slot, sizeof start);
    if (start == nullptr) fail(what + " is null");
    const auto segment = segment_at(start);
    const auto readable = segment.size == 0 ? 0 : bytes_left(segment, start);
    const auto *end = static_cast<const char *>(
        readable == 0 ? nullptr : std::memchr(start, 0, std::min(readable, limit + 1)));
    if (end == nullptr)
      fail(readable == 0 ? what + " points outside of the library"
                         : what + " does not end within " + std::to_string(limit) + " bytes");
    return {start, end};
  }

  std::string label(const std::string &what, const void *slot) const {
    auto label = text(what, slot, max_label);
    if (label.empty()) fail(what + " is empty");
    if (!std::all_of(label.begin(), label.end(), [](char c) { return c > 0x20 && c < 0x7F; }))
      fail(what + " is not printable ASCII: " + visible(label));
    return label;
  }

 private:
  static std::size_t bytes_left(const Segment &segment, const void *address) {
    return segment.size - static_cast<std::size_t>(static_cast<const char *>(address) - segment.start);
  }

  const boost::dll::shared_library &library_;
  const std::filesystem::path &path_;
  void *map_ = nullptr;
};

std::uint32_t revision_of(const Exports &exports) {
  const auto symbol = exports.find("abi_version");
  if (!symbol) return 1;
  std::uint32_t revision = 0;
  std::memcpy(&revision, exports.data("abi_version", *symbol, sizeof revision, false), sizeof revision);
  if (revision > DSH_ABI_VERSION)
    exports.fail("it is written for revision " + std::to_string(revision) +
                 " of the plugin contract, this host knows " + std::to_string(DSH_ABI_VERSION) +
                 "; use a newer host, or an older plugin");
  if (revision == 0) exports.fail("its `abi_version` is 0; the first revision is 1");
  return revision;
}

std::vector<std::string> services_of(const Exports &exports) {
  const auto symbol = exports.require("inject");
  const auto *slot = static_cast<const char *>(exports.data("inject", symbol, sizeof(char *), true));
  const auto segment = segment_at(slot);
  const std::size_t room = segment.size - static_cast<std::size_t>(slot - segment.start);
  const std::size_t slots =
      std::min((symbol.size == 0 ? room : std::min(room, symbol.size)) / sizeof(char *), max_services);
  std::vector<std::string> services;
  for (std::size_t i = 0; i < slots; ++i, slot += sizeof(char *)) {
    const char *id = nullptr;
    std::memcpy(static_cast<void *>(&id), slot, sizeof id);
    if (id == nullptr) return services;
    services.push_back(exports.label("its `inject[" + std::to_string(i) + "]`", slot));
  }
  exports.fail("its `inject` does not end with a null pointer");
}

dsh_apply_fn entry_point_of(const Exports &exports) {
  const auto symbol = exports.require("apply");
  const bool is_function =
      symbol.type == STT_NOTYPE || symbol.type == STT_FUNC || symbol.type == STT_GNU_IFUNC;
  if (!is_function || !segment_at(symbol.address).executable)
    exports.fail("its symbol `apply` is no function");
  dsh_apply_fn apply = nullptr;
  static_assert(sizeof apply == sizeof symbol.address);
  std::memcpy(&apply, &symbol.address, sizeof apply);
  return apply;
}

std::optional<std::string> schema_of(const Exports &exports) {
  const auto symbol = exports.find("config_schema");
  if (!symbol) return std::nullopt;
  auto schema = exports.text("its `config_schema`",
                             exports.data("config_schema", *symbol, sizeof(char *), false), max_schema);
  if (!is_utf8(schema)) exports.fail("its `config_schema` is not UTF-8");
  return schema;
}

bool is_mapped(const std::filesystem::path &path) {
  void *handle = ::dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (handle != nullptr) ::dlclose(handle);
  return handle != nullptr;
}

}  // namespace

struct PluginLibrary::Mapping {
  boost::dll::shared_library library;
};

PluginLibrary::PluginLibrary(const LibraryFile &file)
    : path_(file.path()), mapping_(std::make_unique<Mapping>()) {
  if (path_.native().find('$') != std::string::npos)
    throw Error("can't load plugin " + visible_path(path_) +
                ": its path holds a $, which the linker would expand; rename that directory or file");
  if (const auto fault = find_elf_fault(file.descriptor()))
    throw Error("can't load plugin " + visible_path(path_) + ": " + fault->text +
                (fault->linker_copes ? ": " + refusal_of(path_) : std::string()));
  try {
    mapping_->library = map_library(path_);
  } catch (const std::exception &error) {
    throw Error(load_failure(path_, linker_words(error)));
  }
  const Exports exports(mapping_->library, path_);
  // A later revision may have other symbols: nothing else is looked at before.
  abi_version_ = revision_of(exports);
  if (exports.find("default"))
    exports.fail("it exports a symbol `default` beside the contract; export name, inject and apply alone");
  name_ = exports.label("its `name`", exports.data("name", exports.require("name"), sizeof(char *), false));
  inject_ = services_of(exports);
  apply_ = entry_point_of(exports);
  config_schema_ = schema_of(exports);
}

PluginLibrary::~PluginLibrary() = default;

std::shared_ptr<const PluginLibrary> PluginLibraries::open(const LibraryFile &file) {
  std::erase_if(known_, [](const Known &known) { return known.library.expired() && !is_mapped(known.path); });
  const auto identity = file.identity();
  for (const auto &known : known_) {
    if (known.path != file.path() && !known.identity.same_file(identity)) continue;
    if (known.identity != identity)
      throw Error(
          "can't load plugin " + visible_path(file.path()) +
          ": the file has changed since it was loaded, and its old code is still in this process; unload "
          "every entry that uses it first, and start afresh if that doesn't help");
    if (auto library = known.library.lock()) return library;
  }
  std::shared_ptr<const PluginLibrary> library(new PluginLibrary(file));
  if (!file.is_in_place() || file.identity() != identity)
    throw Error("can't load plugin " + visible_path(file.path()) +
                ": the file changed while it was being loaded; try again");
  std::erase_if(known_, [&file](const Known &known) { return known.path == file.path(); });
  known_.push_back({file.path(), identity, library});
  return library;
}

Unmapped PluginLibraries::close(std::shared_ptr<const PluginLibrary> library) {
  if (library.use_count() > 1) return Unmapped::in_use;
  const auto path = library->path();
  library.reset();
  return is_mapped(path) ? Unmapped::no : Unmapped::yes;
}

}  // namespace dsh::loader
