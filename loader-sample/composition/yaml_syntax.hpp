// What yaml-cpp lets pass although YAML forbids it, found by looking at the source of a node. Offsets
// are in bytes of a text whose line ends are LF and whose last line has one.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace dsh::loader {

/// How the source writes a scalar.
enum class ScalarStyle { absent, plain, single_quoted, double_quoted, block };

/// A place and what is wrong with it.
struct SyntaxFault {
  std::size_t offset;
  const char *what;
};

/// Where the content of the node at `offset` begins: after tags, anchors, line ends and comments. The
/// end of `text` when there is none.
std::size_t content_of_node(std::string_view text, std::size_t offset);

/// The style of the empty scalar whose node begins at `offset`, or of one whose text is known not to be
/// empty: then it is never absent.
ScalarStyle scalar_style(std::string_view text, std::size_t offset, bool is_empty);

/// A tag that does not end in white space or holds characters that tags may not; a quote that is
/// never closed; the escape \'; more than indicators on the first line of a block scalar.
std::optional<SyntaxFault> find_node_fault(std::string_view text, std::size_t offset);

/// A value within a block mapping or block list whose own column is `indent`, that stands first on its
/// line without being indented further, or indented with tabs.
std::optional<SyntaxFault> find_indent_fault(std::string_view text, std::size_t offset, std::size_t indent);

/// How many line ends the folded text `>+` at `offset` ends with: yaml-cpp loses one where blank lines
/// follow. Nothing for any other scalar, and where an indentation indicator hides the answer.
std::optional<std::size_t> kept_line_ends(std::string_view text, std::size_t offset);

/// The column of `offset`, from 0, in bytes.
std::size_t column_of(std::string_view text, std::size_t offset);

/// True for a text with characters that YAML allows in quotes alone (DEL, C1 without NEL).
bool has_unprintable(std::string_view text);

}  // namespace dsh::loader
