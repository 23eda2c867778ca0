// Checks whether the joints connect the links to trees. There is no recursion: a chain of a million links must not
// overflow the stack.
#include <algorithm>
#include <unordered_map>

#include "lissom/model/text.h"
#include "lissom/model/validate_parts.h"

namespace lissom::validation {
namespace {

// Suggests names of links for misspelled ones. Comparing with all names takes long, so only the first few unknown names
// of a description get a suggestion.
class Suggestions {
 public:
  explicit Suggestions(const Description& description) : description_(description) {}

  std::string for_link(std::string_view wrong) {
    if (served_++ >= max_count) return {};
    if (names_.empty())
      for (const LinkDescription& link : description_.links) names_.push_back(link.name);
    return did_you_mean(wrong, names_);
  }

 private:
  static constexpr int max_count = 20;
  const Description& description_;
  std::vector<std::string_view> names_;
  int served_ = 0;
};

// The index of the parent or child link of a joint; none, and a finding, if it does not exist.
int find_end(const JointDescription& joint, const std::string& name, const std::string& role, const Names& links,
             Suggestions& suggestions, Findings& findings) {
  if (name.empty()) {
    findings.error("joint-ends", joint.line, subject(joint), "it has no " + role + " link",
                   "add the link (in a URDF: <" + role + " link=\"…\"/>)");
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

// Finds the parent of each link. Returns whether the two links of every joint exist.
bool connect(const Description& description, const Names& links, Tree& tree, Findings& findings) {
  bool complete = true;
  Suggestions suggestions(description);
  for (std::size_t j = 0; j < description.joints.size(); ++j) {
    const JointDescription& joint = description.joints[j];
    const int parent = find_end(joint, joint.parent, "parent", links, suggestions, findings);
    const int child = find_end(joint, joint.child, "child", links, suggestions, findings);
    if (parent == none || child == none) {
      complete = false;
      continue;
    }
    const auto at = static_cast<std::size_t>(child);
    if (parent == child) {
      findings.error("joint-self", joint.line, subject(joint),
                     "its parent and its child are the same link " + in_quotes(joint.child),
                     "connect two different links");
    } else if (tree.joint[at] != none) {
      const JointDescription& first = description.joints[static_cast<std::size_t>(tree.joint[at])];
      findings.error("link-several-parents", joint.line, subject(joint),
                     "its child " + in_quotes(joint.child) + " is already the child of joint " + in_quotes(first.name) +
                         ": a link has only one parent joint",
                     "remove one of the two joints; to close a loop, replace one of its joints by a constraint");
    } else {
      tree.joint[at] = static_cast<int>(j);
      tree.parent[at] = parent;
    }
  }
  return complete;
}

// Lists the links that are connected to a root, breadth first.
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
  constexpr std::size_t max_count = 8;
  std::string path;
  for (std::size_t i = 0; i < std::min(cycle.size(), max_count); ++i)
    path += in_quotes(description.links[static_cast<std::size_t>(cycle[i])].name) + " → ";
  if (cycle.size() > max_count) path += "… (" + std::to_string(cycle.size()) + " links) → ";
  return path + in_quotes(description.links[static_cast<std::size_t>(cycle.front())].name);
}

// A link that is not connected to a root leads to a cycle: go from child to parent until a link is visited again.
void report_cycles(const Description& description, const Tree& tree, Findings& findings) {
  std::vector<int> walk(tree.parent.size(), 0);  // number of the walk that visited each link; 0: not yet visited
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
    findings.error("cycle", joint.line, subject(joint), "the links form a cycle: " + path_of(cycle, description),
                   "reverse or remove one of the joints, so that the links form a tree");
  }
}

void report_roots(const Description& description, const Tree& tree, Findings& findings) {
  constexpr std::size_t max_count = 5;
  std::unordered_map<std::string_view, bool> is_ground;  // for each root of which the file says how it is attached
  for (const RootDescription& root : description.roots) is_ground[root.link] = root.is_ground;
  std::size_t roots = 0;
  bool all_said = true;
  std::string names;
  int line = 0;
  for (const int link : tree.order) {
    if (tree.parent[static_cast<std::size_t>(link)] != none) break;  // roots come first
    const LinkDescription& root = description.links[static_cast<std::size_t>(link)];
    const auto said = is_ground.find(root.name);
    all_said = all_said && said != is_ground.end();
    if (said != is_ground.end() && said->second) continue;
    if (++roots == 2) line = root.line;
    if (roots <= max_count) names += (roots > 1 ? ", " : "") + in_quotes(root.name);
  }
  if (roots < 2) return;
  const std::string found = counted(roots, "link") + " have no parent: " + names + (roots > max_count ? ", …" : "") +
                            "; each gets a base of its own";
  if (all_said)  // as in a world with several robots
    findings.note("several-roots", line, "robot", found, "none needed; connect them by joints if they are one robot");
  else
    findings.warning("several-roots", line, "robot", found + ", and most other programs refuse such a file",
                     "connect them by joints if they are one robot");
}

}  // namespace

Tree check_tree(const Description& description, const AllNames& names, Findings& findings) {
  Tree tree;
  tree.joint.assign(description.links.size(), none);
  tree.parent.assign(description.links.size(), none);
  const bool complete = connect(description, names.links, tree, findings);
  put_in_order(tree);
  if (tree.order.size() < description.links.size())
    report_cycles(description, tree, findings);
  else if (complete && names.links.size() == description.links.size())
    // Otherwise several roots may only be a consequence of what has been reported already.
    report_roots(description, tree, findings);
  return tree;
}

void check_size(const Description& description, const Tree& tree, Findings& findings) {
  const auto roots = std::size_t(std::ranges::count(tree.parent, none));
  std::size_t dofs = roots * joint_traits(JointType::free).v.size();
  for (const JointDescription& joint : description.joints) dofs += joint_traits(joint.type).v.size();
  if (dofs <= limits::degrees_of_freedom) return;
  findings.error("too-large", 0, "robot",
                 "it has " + std::to_string(dofs) + " degrees of freedom, with 6 for each root, expected at most " +
                     std::to_string(limits::degrees_of_freedom),
                 "divide it into several robots");
}

}  // namespace lissom::validation
