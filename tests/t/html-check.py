# Whether an HTML report keeps its promises: well-formed, no script, nothing loaded, ids once.
import sys, xml.etree.ElementTree as et

text = open(sys.argv[1]).read()
tree = et.fromstring(text.split("\n", 1)[1])
names = {e.tag.split("}")[-1] for e in tree.iter()}
assert not names & {"script", "iframe", "object", "embed", "link", "img", "foreignObject", "image"}, names
ids = []
for e in tree.iter():
    for key, value in e.attrib.items():
        assert not key.lower().startswith("on") and key not in ("href", "src"), key
        assert not key.endswith("href") or value.startswith("#"), value
        if key == "id":
            ids.append(value)
assert len(ids) == len(set(ids)), "an id is there twice"
assert "default-src 'none'" in text
svgs = list(tree.iter("{http://www.w3.org/2000/svg}svg"))
print("svg %d" % len(svgs))
for svg in svgs:
    count = lambda tag: len(list(svg.iter("{http://www.w3.org/2000/svg}" + tag)))
    print("marks %d" % (count("use") + count("polygon")))
