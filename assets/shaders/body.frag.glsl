in vec3 facing;
flat in vec4 tint;
#ifdef SHADOWS
in vec3 in_light;
#endif
#ifdef ROUND
in vec3 sight;
#endif
#ifdef BOX
in vec3 local;
flat in vec3 side;
flat in vec3 local_eye;
#endif

uniform vec3 to_light;      // unit
uniform vec3 strength;      // ambient, sky, key
uniform vec2 lines;         // opacity of light lines on inner edges, of dark ones on the silhouette
uniform float pixel_ratio;
#ifdef SHADOWS
uniform sampler2DShadow shadow_map;
uniform float shadow_texel;
#endif

out vec4 color;

#ifdef SHADOWS
float lit(float slope) {
    float depth = min(in_light.z - 0.0006 - 0.0012 * (1.0 - slope), 1.0);
#ifdef SOFT
    vec2 step = vec2(1.3, 0.55) * shadow_texel;
    float sum = texture(shadow_map, vec3(in_light.xy + step, depth));
    sum += texture(shadow_map, vec3(in_light.xy - step, depth));
    sum += texture(shadow_map, vec3(in_light.xy + vec2(-step.y, step.x), depth));
    sum += texture(shadow_map, vec3(in_light.xy + vec2(step.y, -step.x), depth));
    return 0.25 * sum;
#else
    return texture(shadow_map, vec3(in_light.xy, depth));
#endif
}
#endif

#ifdef PIPS
// 1 inside a spot. Six on +z, five on +y, four on +x; opposite sides sum to seven.
float spot(vec2 p, vec2 middle) {
    float d = length(p - middle);
    return 1.0 - smoothstep(0.19 - 0.7 * fwidth(d), 0.19 + 0.7 * fwidth(d), d);
}

float pips() {
    int axis = side.x > 0.5 ? 0 : side.y > 0.5 ? 1 : 2;
    vec2 p = axis == 0 ? local.yz : axis == 1 ? local.zx : local.xy;
    int count = axis == 0 ? 4 : axis == 1 ? 5 : 6;
    if (dot(local, side) < 0.0) count = 7 - count;
    float cover = 0.0;
    if ((count & 1) == 1) cover = spot(p, vec2(0.0));
    if (count > 1) cover = max(cover, max(spot(p, vec2(-0.5)), spot(p, vec2(0.5))));
    if (count > 3) cover = max(cover, max(spot(p, vec2(-0.5, 0.5)), spot(p, vec2(0.5, -0.5))));
    if (count == 6) cover = max(cover, max(spot(p, vec2(-0.5, 0.0)), spot(p, vec2(0.5, 0.0))));
    return cover;
}
#endif

#ifdef BOX
// The lines along a box's edges: white where the face beyond the edge is seen too, black where it is not; then how much.
vec2 edge_line() {
    vec3 size = abs(local);
    vec3 pixel = max(fwidth(local), vec3(1e-7));
    vec3 gap = (1.0 - size) / pixel + side * 1e6;   // px to the borders of this face
    float nearest = min(gap.x, min(gap.y, gap.z));
    vec3 seen = step(vec3(1.0), sign(local) * local_eye);
    float light = dot(seen, step(gap, vec3(nearest)));
    float large = 1.0 / max(pixel.x * (1.0 - side.x), max(pixel.y * (1.0 - side.y), pixel.z * (1.0 - side.z)));
    // Lines of faces a few pixels large would cover them: they fade.
    float cover = clamp(0.4 + 0.75 * pixel_ratio - nearest, 0.0, 1.0) * smoothstep(2.0, 12.0, large);
    return light > 0.5 ? vec2(1.0, cover * lines.x) : vec2(0.0, cover * lines.y);
}
#endif

#ifdef HATCH
// The hatch of a tier, in pixels: no tier is told by its colour alone.
float hatch(float kind) {
    vec2 p = gl_FragCoord.xy / pixel_ratio;
    if (kind < 0.5) return 0.0;
    if (kind < 1.5) return step(mod(p.x, 8.0), 2.4);
    if (kind < 2.5) return step(mod(p.y, 8.0), 2.4);
    float one = step(mod(p.x + p.y, 9.0), 3.0);
    if (kind < 3.5) return one;
    float other = step(mod(p.x - p.y, 9.0), 3.0);
    return kind < 4.5 ? max(one, other) : other;
}
#endif

void main() {
#ifdef ROUND
    vec3 n = normalize(facing);
#else
    vec3 n = facing;
#endif
#ifdef TWO_SIDED
    if (!gl_FrontFacing) n = -n;
#endif
    float slope = max(dot(n, to_light), 0.0);
    float key = strength.z * slope;
#ifdef SHADOWS
    key *= lit(slope);
#endif
    vec3 paint = tint.rgb;
#ifdef PIPS
    vec3 ink = dot(paint, vec3(0.3, 0.59, 0.11)) > 0.4 ? vec3(0.09) : vec3(0.95);
    paint = mix(paint, ink, pips());
#endif
#ifdef HATCH
    paint *= 1.0 - 0.38 * hatch(tint.a);
#endif
    vec3 shade = paint * (strength.x + strength.y * (0.5 + 0.5 * n.z) + key);
#ifdef ROUND
    float turned = abs(dot(n, sight));
    float width = fwidth(turned) * pixel_ratio;
    shade *= 1.0 - lines.y * (1.0 - smoothstep(0.3 * width, 1.3 * width, turned));
#endif
#ifdef BOX
    vec2 line = edge_line();
    shade = mix(shade, vec3(line.x), line.y);
#endif
#ifdef GHOST
    color = vec4(shade, tint.a);
#else
    color = vec4(shade, 1.0);
#endif
}
