#include "plugins/plugin_library.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <string>
#include <vector>

#include "text/error.hpp"
#include "unit/plugins/scratch.hpp"

namespace dsh::loader {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const fs::path libraries = TEST_LIBRARIES;

fs::path library(const std::string &name) { return libraries / (name + ".so"); }

std::string content_of(const fs::path &path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string refusal(const fs::path &path) {
  PluginLibraries host;
  try {
    host.open(LibraryFile::open(path));
  } catch (const Error &error) {
    return error.what();
  }
  return "opened";
}

std::int32_t answer(const PluginLibrary &plugin) { return plugin.apply()(nullptr, "", 0, nullptr); }

TEST(PluginLibrary, hands_out_what_a_sound_library_exports) {
  PluginLibraries host;
  const auto plugin = host.open(LibraryFile::open(library("sound")));
  EXPECT_EQ(plugin->name(), "sound");
  EXPECT_THAT(plugin->inject(), ElementsAre("tools"));
  EXPECT_EQ(plugin->abi_version(), 1U);
  EXPECT_EQ(plugin->config_schema(), "{\"type\":\"object\"}");
  EXPECT_EQ(answer(*plugin), DSH_OK);
  EXPECT_EQ(plugin->path(), fs::canonical(library("sound")));
}

TEST(PluginLibrary, takes_the_optional_symbols_or_their_absence) {
  PluginLibraries host;
  const auto minimal = host.open(LibraryFile::open(library("minimal")));
  EXPECT_THAT(minimal->inject(), IsEmpty());
  EXPECT_EQ(minimal->config_schema(), std::nullopt);
  EXPECT_EQ(host.open(LibraryFile::open(library("abi_same")))->abi_version(), 1U);
}

struct Faulty {
  const char *library;
  const char *says;
};

std::ostream &operator<<(std::ostream &out, const Faulty &faulty) { return out << faulty.library; }

class FaultyLibrary : public testing::TestWithParam<Faulty> {};

TEST_P(FaultyLibrary, is_refused_with_a_line_that_says_why) {
  const auto text = refusal(library(GetParam().library));
  EXPECT_THAT(text, HasSubstr(GetParam().says));
  EXPECT_THAT(text, HasSubstr(library(GetParam().library).string()));
  EXPECT_EQ(text.find_first_of("\n\033"), std::string::npos) << text;
  void *still_there = ::dlopen(library(GetParam().library).c_str(), RTLD_LAZY | RTLD_NOLOAD);
  EXPECT_EQ(still_there, nullptr);
}

INSTANTIATE_TEST_SUITE_P(
    PluginLibrary, FaultyLibrary,
    testing::Values(Faulty{"abi_newer", "revision 7 of the plugin contract, this host knows 1"},
                    Faulty{"abi_zero", "`abi_version` is 0"},
                    Faulty{"default_export", "exports a symbol `default` beside the contract"},
                    Faulty{"no_name", "no symbol `name`: "}, Faulty{"no_inject", "undefined symbol: inject"},
                    Faulty{"no_apply", "undefined symbol: apply"},
                    Faulty{"name_of_dependency", "no symbol `name`: a library that it needs has one"},
                    Faulty{"name_is_array", "`name` has 9 bytes instead of 8"},
                    Faulty{"name_null", "`name` is null"}, Faulty{"name_empty", "`name` is empty"},
                    Faulty{"name_control", "not printable ASCII: red"},
                    Faulty{"name_wild", "`name` points outside"},
                    Faulty{"name_unterminated", "`name` does not end within 128 bytes"},
                    Faulty{"name_is_function", "`name` is no data"}, Faulty{"thread_local_name", "`name`"},
                    Faulty{"inject_unterminated", "`inject` does not end with a null pointer"},
                    Faulty{"inject_wild", "`inject[1]` points outside"},
                    Faulty{"apply_is_data", "`apply` is no function"},
                    Faulty{"schema_null", "`config_schema` is null"},
                    Faulty{"schema_latin1", "`config_schema` is not UTF-8"},
                    Faulty{"undefined_symbol", "undefined symbol: nobody_defines_this"},
                    Faulty{"needs_missing", "a library that it needs is missing: libmissing.so"}),
    [](const auto &faulty) { return std::string(faulty.param.library); });

TEST(PluginLibraryFile, text_is_no_library) {
  const Scratch scratch;
  EXPECT_THAT(
      refusal(scratch.write(
          "text.so", "#!/bin/sh\necho this is a script, long enough to hold the header of a library\n")),
      AllOf(HasSubstr("it is no shared library"), HasSubstr("invalid ELF header")));
  EXPECT_THAT(refusal(scratch.write("short.so", "x")), HasSubstr("file too short"));
  EXPECT_THAT(refusal(scratch.write("empty.so", "")), AllOf(HasSubstr("empty"), HasSubstr("file too short")));
}

TEST(PluginLibraryFile, every_way_of_being_cut_short_is_refused) {
  const Scratch scratch;
  const auto whole = content_of(library("sound"));
  ASSERT_GT(whole.size(), 4096U);
  for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / 150) {
    const auto text = refusal(scratch.write("cut.so", std::string_view(whole).substr(0, size)));
    EXPECT_THAT(text,
                testing::AnyOf(HasSubstr("cut short"), HasSubstr("no shared library"), HasSubstr("empty")))
        << size;
  }
  EXPECT_THAT(refusal(scratch.write("cut.so", std::string_view(whole).substr(0, whole.size() - 1))),
              HasSubstr("cut short"));
  EXPECT_EQ(refusal(scratch.write("cut.so", whole)), "opened");
}

TEST(PluginLibraryFile, a_library_for_another_machine_is_named_as_such) {
  const Scratch scratch;
  auto bytes = content_of(library("sound"));
  auto &header = *reinterpret_cast<Elf64_Ehdr *>(bytes.data());
  header.e_machine = header.e_machine == EM_S390 ? EM_RISCV : EM_S390;
  EXPECT_THAT(refusal(scratch.write("machine.so", bytes)),
              AllOf(HasSubstr("built for another machine (S/390, 64 bits"), HasSubstr("this program is")));
  header.e_ident[EI_CLASS] = ELFCLASS32;
  EXPECT_THAT(refusal(scratch.write("class.so", bytes)),
              AllOf(HasSubstr("32 bits"), HasSubstr("wrong ELF class")));
}

TEST(PluginLibraryFile, a_directory_a_missing_and_an_unreadable_file_are_told_apart) {
  const Scratch scratch;
  const auto secret = scratch.write("secret.so", content_of(library("sound")));
  ASSERT_EQ(::chmod(secret.c_str(), 0), 0);
  ASSERT_EQ(::chmod(scratch.path().c_str(), 0755), 0);
  EXPECT_THAT(refusal(scratch.path()), HasSubstr("Is a directory"));
  EXPECT_THAT(refusal(scratch.path() / "none.so"), HasSubstr("No such file or directory"));
  const pid_t child = ::fork();
  if (child == 0) {
    // Root reads everything: become somebody else.
    if (::geteuid() == 0 && ::setuid(65534) != 0) ::_exit(2);
    ::_exit(refusal(secret).find("Permission denied") == std::string::npos ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(PluginLibraryFile, a_path_that_the_linker_would_expand_is_refused) {
  const Scratch scratch;
  EXPECT_THAT(refusal(scratch.write("$LIB/plugin.so", content_of(library("sound")))), HasSubstr("holds a $"));
}

TEST(PluginLibraryFile, a_program_is_no_plugin) {
  EXPECT_THAT(refusal("/proc/self/exe"), testing::Not("opened"));
}

TEST(PluginLibraries, unmap_a_library_and_say_so) {
  PluginLibraries host;
  auto plugin = host.open(LibraryFile::open(library("sound")));
  EXPECT_EQ(host.close(std::move(plugin)), Unmapped::yes);
  EXPECT_EQ(::dlopen(library("sound").c_str(), RTLD_LAZY | RTLD_NOLOAD), nullptr);
  EXPECT_EQ(answer(*host.open(LibraryFile::open(library("sound")))), DSH_OK);
}

TEST(PluginLibraries, say_that_a_library_stays) {
  PluginLibraries host;
  EXPECT_EQ(host.close(host.open(LibraryFile::open(library("stays_mapped")))), Unmapped::no);
  // Unchanged on disk, it may be used again.
  EXPECT_EQ(host.open(LibraryFile::open(library("stays_mapped")))->name(), "sound");
}

TEST(PluginLibraries, share_one_file_between_entries) {
  const Scratch scratch;
  PluginLibraries host;
  const auto path = scratch.write("plugin.so", content_of(library("sound")));
  fs::create_hard_link(path, scratch.path() / "twin.so");
  auto first = host.open(LibraryFile::open(path));
  auto second = host.open(LibraryFile::open(path));
  auto third = host.open(LibraryFile::open(scratch.path() / "twin.so"));
  EXPECT_EQ(first, second);
  EXPECT_EQ(first, third);
  EXPECT_EQ(host.close(std::move(first)), Unmapped::in_use);
  EXPECT_EQ(host.close(std::move(third)), Unmapped::in_use);
  EXPECT_EQ(answer(*second), DSH_OK);
  EXPECT_EQ(host.close(std::move(second)), Unmapped::yes);
}

class ReplacedLibrary : public testing::Test {
 protected:
  std::string reopen() {
    try {
      return std::to_string(answer(*host_.open(LibraryFile::open(path_))));
    } catch (const Error &error) {
      return error.what();
    }
  }

  void replace_by_renaming() { fs::rename(scratch_.write("new.so", content_of(library("other"))), path_); }

  Scratch scratch_;
  PluginLibraries host_;
  const fs::path path_ = scratch_.write("plugin.so", content_of(library("sound")));
};

TEST_F(ReplacedLibrary, serves_the_new_code_after_an_unload) {
  ASSERT_EQ(host_.close(host_.open(LibraryFile::open(path_))), Unmapped::yes);
  replace_by_renaming();
  EXPECT_EQ(reopen(), std::to_string(DSH_NONE));
}

TEST_F(ReplacedLibrary, overwritten_in_place_serves_the_new_code_after_an_unload) {
  ASSERT_EQ(host_.close(host_.open(LibraryFile::open(path_))), Unmapped::yes);
  scratch_.write("plugin.so", content_of(library("other")));
  EXPECT_EQ(reopen(), std::to_string(DSH_NONE));
}

TEST_F(ReplacedLibrary, is_refused_while_the_old_code_is_mapped) {
  const auto old = host_.open(LibraryFile::open(path_));
  replace_by_renaming();
  EXPECT_THAT(reopen(), AllOf(HasSubstr(path_.string()), HasSubstr("changed since it was loaded")));
  EXPECT_EQ(answer(*old), DSH_OK);
}

TEST_F(ReplacedLibrary, touched_in_place_is_refused_while_the_old_code_is_mapped) {
  const auto old = host_.open(LibraryFile::open(path_));
  fs::last_write_time(path_, fs::last_write_time(path_) + std::chrono::seconds(1));
  EXPECT_THAT(reopen(), HasSubstr("changed since it was loaded"));
}

TEST_F(ReplacedLibrary, is_refused_where_the_old_code_could_not_be_unmapped) {
  scratch_.write("plugin.so", content_of(library("stays_mapped")));
  ASSERT_EQ(host_.close(host_.open(LibraryFile::open(path_))), Unmapped::no);
  replace_by_renaming();
  EXPECT_THAT(reopen(), HasSubstr("changed since it was loaded"));
}

TEST_F(ReplacedLibrary, forgotten_without_close_is_remembered_as_long_as_it_is_mapped) {
  { const auto old = host_.open(LibraryFile::open(path_)); }
  replace_by_renaming();
  EXPECT_EQ(reopen(), std::to_string(DSH_NONE));
}

}  // namespace
}  // namespace dsh::loader
