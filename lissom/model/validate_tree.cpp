// Do the joints make trees of the links? Loops over lists only: a chain of a million links must not run out of stack.
#include <algorithm>

#include "lissom/model/text.h"
#include "lissom/model/validate_parts.h"

namespace lissom::validation {
namespace {

// For messages: the names of the links, as candidates of a misspelling. Comparing with all of them takes a while, so
// only the first few unknown names of a description get that service.
class Suggestions {
 public:
  explicit Suggestions(const Description& description) : description_(description) {}

  std::string for_link(std::string_view wrong) {
    if (served_++ >= most) return {};
    if (names_.empty())
      for (const LinkDescription& link : description_.links) names_.push_back(link.name);
    return did_you_mean(wrong, names_);
  }

 private:
  static constexpr int most = 20;
  const Description& description_;
  std::vector<std::string_view> names_;
  int served_ = 0;
};

// The position of a link a joint names, or none, which is reported.
int find_end(const JointDescription& joint, const std::string& name, const std::string& role, const Names& links,
             Suggestions& suggestions, Findings& findings) {
  if (name.empty()) {
    findings.error("joint-ends", joint.line, subject(joint), "it names no " + role + " link",
                   "name the link (in a URDF: <" + role + " link=\"…\"/>)");
    return none;
  }
  const auto found = links.find(name);
  if (found != links.end()) return found->second;
  const std::string suggestion = suggestions.for_link(name);
  findings.error("link-unknown", joint.line, subject(joint),
                 "its " + role + " link " + in_quotes(name) + " does not exist",
                 suggestion.empty() ? "add that link or correct the name" : suggestion);
  return none;
}

// Each link's parent. Returns whether every joint found its two links.
bool connect(const Description& description, const Names& links, Tree& tree, Findings& findings) {
  bool whole = true;
  Suggestions suggestions(description);
  for (std::size_t j = 0; j < description.joints.size(); ++j) {
    const JointDescription& joint = description.joints[j];
    const int parent = find_end(joint, joint.parent, "parent", links, suggestions, findings);
    const int child = find_end(joint, joint.child, "child", links, suggestions, findings);
    if (parent == none || child == none) {
      whole = false;
      continue;
    }
    const auto at = static_cast<std::size_t>(child);
    if (parent == child) {
      findings.error("joint-self", joint.line, subject(joint),
                     "its parent and its child are the same link " + in_quotes(joint.child),
                     "a joint connects two different links");
    } else if (tree.joint[at] != none) {
      const JointDescription& first = description.joints[static_cast<std::size_t>(tree.joint[at])];
      findings.error("link-several-parents", joint.line, subject(joint),
                     "its child " + in_quotes(joint.child) + " is already the child of joint " + in_quotes(first.name) +
                         ": a link can hang on one joint only",
                     "remove one of the two joints; a closed loop is cut at one joint and closed by a constraint");
    } else {
      tree.joint[at] = static_cast<int>(j);
      tree.parent[at] = parent;
    }
  }
  return whole;
}

// Links that hang on a root, breadth first.
void put_in_order(Tree& tree) {
  std::vector<std::vector<int>> children(tree.parent.size());
  for (std::size_t i = 0; i < tree.parent.size(); ++i) {
    if (tree.parent[i] == none)
      tree.order.push_back(static_cast<int>(i));
    else
      children[static_cast<std::size_t>(tree.parent[i])].push_back(static_cast<int>(i));
  }
  for (std::size_t next = 0; next < tree.order.size(); ++next) {
    const auto& below = children[static_cast<std::size_t>(tree.order[next])];
    tree.order.insert(tree.order.end(), below.begin(), below.end());
  }
}

std::string path_of(const std::vector<int>& cycle, const Description& description) {
  constexpr std::size_t most = 8;
  std::string path;
  for (std::size_t i = 0; i < std::min(cycle.size(), most); ++i)
    path += in_quotes(description.links[static_cast<std::size_t>(cycle[i])].name) + " → ";
  if (cycle.size() > most) path += "… (" + std::to_string(cycle.size()) + " links) → ";
  return path + in_quotes(description.links[static_cast<std::size_t>(cycle.front())].name);
}

// What hangs on no root hangs on a cycle: go from child to parent until a link is met again.
void report_cycles(const Description& description, const Tree& tree, Findings& findings) {
  std::vector<int> walk(tree.parent.size(), 0);  // in which walk each link was met; 0 for not yet
  for (const int link : tree.order) walk[static_cast<std::size_t>(link)] = -1;
  for (std::size_t start = 0; start < walk.size(); ++start) {
    if (walk[start] != 0) continue;
    const int number = static_cast<int>(start) + 1;
    int i = static_cast<int>(start);
    while (walk[static_cast<std::size_t>(i)] == 0) {
      walk[static_cast<std::size_t>(i)] = number;
      i = tree.parent[static_cast<std::size_t>(i)];
    }
    if (walk[static_cast<std::size_t>(i)] != number) continue;  // this walk ran into an earlier one
    std::vector<int> cycle;
    const int first = i;
    do {
      cycle.push_back(i);
      i = tree.parent[static_cast<std::size_t>(i)];
    } while (i != first);
    std::reverse(cycle.begin(), cycle.end());
    const JointDescription& joint =
        description.joints[static_cast<std::size_t>(tree.joint[static_cast<std::size_t>(cycle.front())])];
    findings.error("cycle", joint.line, subject(joint),
                   "the links hang on each other in a circle: " + path_of(cycle, description),
                   "turn round or remove one of the joints, so that the links make a tree");
  }
}

void report_roots(const Description& description, const Tree& tree, Findings& findings) {
  constexpr std::size_t most = 5;
  std::size_t roots = 0;
  std::string names;
  int line = 0;
  for (const int link : tree.order) {
    if (tree.parent[static_cast<std::size_t>(link)] != none) break;  // roots come first
    const LinkDescription& root = description.links[static_cast<std::size_t>(link)];
    if (++roots == 2) line = root.line;
    if (roots <= most) names += (roots > 1 ? ", " : "") + in_quotes(root.name);
  }
  if (roots < 2) return;
  findings.warning("several-roots", line, "robot",
                   counted(roots, "link") + " hang on no joint: " + names + (roots > most ? ", …" : "") +
                       "; each gets a base of its own, and most other programs refuse such a file",
                   "connect them by joints if they are one robot");
}

}  // namespace

Tree check_tree(const Description& description, const AllNames& names, Findings& findings) {
  Tree tree;
  tree.joint.assign(description.links.size(), none);
  tree.parent.assign(description.links.size(), none);
  const bool whole = connect(description, names.links, tree, findings);
  put_in_order(tree);
  if (tree.order.size() < description.links.size())
    report_cycles(description, tree, findings);
  else if (whole &&
           names.links.size() ==
               description.links.size())  // otherwise roots may only be a consequence of what is reported already
    report_roots(description, tree, findings);
  return tree;
}

}  // namespace lissom::validation
